// The word by which a thread that waits for a worker is given one.
//
// A member of each Thread (thread.h), which is the receiver; any thread that gives up a worker is a
// giver, one at a time. Checked by tests/model/arm_model.cpp and arm_orders_model.cpp.
//
// Edge table
//   [G] the giver's exchange (release) -> the receiver's load (acquire): the receiver sees all that
//       the worker's last owner did. The giver reads nothing after it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_GRANT_H
#define NOPAL_WORKER_GRANT_H

#include "../platform/atoms.h"

#include <cstdint>

namespace nopal {

template <class Atoms>
class Grant {
 public:
  static constexpr std::uint32_t kNothing = 0;
  static constexpr std::uint32_t kAsleep = 1;  // nothing yet, and the receiver sleeps on the word
  static constexpr std::uint32_t kFirst = 2;   // of the values that can be given

  /// The receiver: waits for a value. Looks `spins` times before it sleeps; after the first
  /// `spins_before_yield` it yields in between. After a yield that took long others have its
  /// processor, and a thread that sleeps gets it back sooner than one that yields: so for a while
  /// it sleeps instead.
  std::uint32_t wait(int spins, int spins_before_yield) noexcept {
    std::uint32_t value = kNothing;
    for (int spin = 0; spin < spins; ++spin) {
      value = word_.load_acquire();  // [G]
      if (value != kNothing) break;
      if (spin < spins_before_yield) {
        Atoms::spin_pause();
      } else {
        const std::uint64_t begun = Atoms::now_ns();
        if (begun < yields_again_ns_) break;
        Atoms::yield();
        const std::uint64_t end = Atoms::now_ns();
        if (end - begun > Atoms::kLongYieldNs) yields_again_ns_ = end + Atoms::kCrowdedNs;
      }
    }
    if (value == kNothing && word_.compare_exchange_acquire(value, kAsleep)) {               // [G]
      while ((value = word_.load_acquire()) == kAsleep) Atoms::sleep_while(word_, kAsleep);  // [G]
    }
    return value;
  }
  /// The receiver, after wait(). The next giver learns of this thread later, through a mutex or a
  /// join.
  void reset() noexcept { word_.store_relaxed(kNothing); }  // [G]
  /// A giver: `value` >= kFirst. After the exchange *this may be gone, with its thread; the wake-up
  /// uses the address only.
  void give(std::uint32_t value) noexcept {
    auto &word = word_;
    if (word.exchange_release(value) == kAsleep) Atoms::wake_one(word);  // [G]
  }
  /// For tools that mark the edge.
  const void *address() const noexcept { return &word_; }

 private:
  typename Atoms::template WordOf<std::uint32_t> word_{kNothing};
  std::uint64_t yields_again_ns_ = 0;  // not before; the receiver's
};

}  // namespace nopal

#endif
