// How many workers may look for work (CILK_ADAPT=1): A-STEAL's decision, once a quantum, from how
// much of the last one was work.
//
// Asked by the search and by the poller (find_work.cpp). Rule: policy/a_steal.h. Why no work is
// overlooked: README.md, "Feedback". Checked by tests/unit/feedback_test.cpp.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [turn] the worker that ends a quantum takes the flag (acquire) and drops it (release): what
//       follows in this class, and each worker's UsedTime, is the next one's.
//   [desire] relaxed: a number that a worker may read late, and then it looks for work a quantum
//       longer, or shorter.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_IDLE_FEEDBACK_H
#define NOPAL_IDLE_FEEDBACK_H

#include "../config/config.h"
#include "../policy/a_steal.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace nopal {

/// What a process has done up to a moment.
struct Usage {
  std::uint64_t now_ns = 0;
  std::uint64_t working_ns = 0;    // summed over workers, by the clock on the wall
  std::uint64_t searching_ns = 0;  // likewise
  std::uint64_t late_ns = 0;       // the poller waited after calls for nothing
  std::uint64_t used_ns = 0;       // worked, on a processor (worker/used_time.h)
};

class Feedback {
 public:
  /// For at most `most` workers at once, which is also the first desire.
  Feedback(policy::ASteal::Parameters parameters, std::uint32_t most) noexcept
      : steal_(parameters, most, most), desire_(most) {}

  /// From now on for at most `most`. Under lifecycle(), while no helper runs.
  void begin(std::uint32_t most) noexcept {
    steal_ = policy::ASteal(steal_.parameters(), most, most);
    last_ = {};
    begun_ns_.store(0, std::memory_order_relaxed);   // [desire]
    desire_.store(most, std::memory_order_relaxed);  // [desire]
  }

  /// How many workers the program asks for. Any thread. Cost: a load.
  std::uint32_t desire() const noexcept {
    const std::uint32_t now = desire_.load(std::memory_order_relaxed);  // [desire]
    return now;
  }
  std::uint64_t quantum_ns() const noexcept { return steal_.parameters().quantum_ns; }
  /// The poller, which may work, was called for nothing and then waited for so long. The poller
  /// alone.
  void came_too_late(std::uint64_t ns) noexcept {
    late_ns_.store(late_ns() + ns, std::memory_order_relaxed);  // [desire]
  }
  std::uint64_t late_ns() const noexcept {
    return late_ns_.load(std::memory_order_relaxed);  // [desire]
  }

  /// Ends the quantum if it is over. `usage()` is asked then only. Any thread; one of those that
  /// come at once does it. Cost: a load; once a quantum also what usage() costs.
  template <class GetUsage>
  void end_quantum_if_over(std::uint64_t now_ns, GetUsage usage) noexcept {
    if (now_ns - begun_ns_.load(std::memory_order_relaxed) < quantum_ns()) return;  // [desire]
    if (is_taken_.exchange(true, std::memory_order_acquire)) return;                // [turn]
    if (now_ns - begun_ns_.load(std::memory_order_relaxed) >= quantum_ns())         // [desire]
      end_quantum(usage());
    is_taken_.store(false, std::memory_order_release);  // [turn]
  }

 private:
  void end_quantum(const Usage &now) noexcept {
    const Usage before = last_;
    last_ = now;
    begun_ns_.store(now.now_ns, std::memory_order_relaxed);  // [desire]
    if (before.now_ns == 0) return;                          // nothing to compare with
    const std::uint64_t working = now.working_ns - before.working_ns;
    const std::uint64_t length = now.now_ns - before.now_ns;
    const std::uint64_t active = working + now.searching_ns - before.searching_ns;
    // A worker that sleeps was not given, even if it was asked for: the next ones are woken one
    // after the other. A thread that waits for a processor works by the clock on the wall: others
    // need the machine.
    const policy::Quantum quantum{
        .desire = desire(),
        .allotted = static_cast<std::uint32_t>((active + length / 2) / length),
        .given_ns = active,
        .used_ns = now.used_ns - before.used_ns,
        .late_ns = std::min(length, now.late_ns - before.late_ns),
        .length_ns = length};
    desire_.store(steal_.next_desire(quantum), std::memory_order_relaxed);  // [desire]
  }

  std::atomic<std::uint64_t> begun_ns_{0};
  std::atomic<std::uint64_t> late_ns_{0};
  std::atomic<bool> is_taken_{false};
  // Of the worker that has the flag.
  policy::ASteal steal_;
  Usage last_;
  std::atomic<std::uint32_t> desire_;
};

/// How many workers a program asks for at most: no more than there are processors.
inline std::uint32_t most_desired() noexcept {
  return std::min(config().nworkers, config().processors);
}
/// The process's, or null if CILK_ADAPT does not ask for it. Cost: a load.
Feedback *feedback() noexcept;
/// Ends its quantum if it is over.
void end_quantum_if_over(Feedback &feedback) noexcept;

}  // namespace nopal

#endif
