// How many workers search, poll and are parked, and how many threads are attached, in one word;
// and the list of the parked.
//
// The transitions of README.md, by their letters. Used by Sleep (sleep.h), which has the mutex for
// those with _locked in their name. Checked by tests/model/sleep_model.cpp.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [W] every change of the word is one read-modify-write (acq_rel): a thread that sees the new
//       counts sees what their writer did before.
//   [L] the list: relaxed, since the mutex orders it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_IDLE_SLEEP_WORD_H
#define NOPAL_IDLE_SLEEP_WORD_H

#include "../platform/atoms.h"

#include <bit>
#include <cstdint>

namespace nopal {

/// Numbers of workers by state, and of attached threads.
struct SleepCounts {
  std::uint16_t searching = 0;  // looking for work and counted so, or woken to do so
  std::uint16_t polling = 0;    // 0 or 1
  std::uint16_t parked = 0;     // in the list
  std::uint16_t attached = 0;   // threads that may make work

  bool is_watched() const noexcept { return searching + polling > 0; }
  bool operator==(const SleepCounts &) const noexcept = default;
};
static_assert(sizeof(SleepCounts) == sizeof(std::int64_t), "all counts change at once");

/// `Member`: what is in the list, by its `next`.
template <class Atoms, class Member>
class SleepWord {
 public:
  constexpr SleepWord() noexcept = default;

  // ---- Without the mutex. All return the counts afterwards. Cost: one atomic operation. ----
  SleepCounts start_search() noexcept { return add(kSearching); }  // A, S
  SleepCounts end_search() noexcept { return add(-kSearching); }   // B
  SleepCounts attach() noexcept { return add(kAttached); }         // H
  SleepCounts detach() noexcept { return add(-kAttached); }        // I

  // ---- Under the mutex. ----
  /// searching -> polling (true) if threads are attached and nobody polls, else -> parked. Who has
  /// searched uncounted (`is_counted` is false) comes from working.
  bool go_idle_locked(Member &self, bool is_counted = true) noexcept {  // C, D
    bool polls = false;
    change([&polls, is_counted](SleepCounts &c) {
      polls = c.attached > 0 && c.polling == 0;
      if (is_counted) --c.searching;
      ++(polls ? c.polling : c.parked);
      return true;
    });
    if (!polls) put(self);
    return polls;
  }
  SleepCounts end_polling_locked() noexcept { return add(-kPolling); }  // E
  /// polling -> parked if no thread is attached; returns whether it did.
  bool park_poller_locked(Member &self) noexcept {  // G
    const bool parks = change([](SleepCounts &c) {
      if (c.attached > 0) return false;
      --c.polling;
      ++c.parked;
      return true;
    });
    if (parks) put(self);
    return parks;
  }
  /// parked -> searching: up to `most`, those that parked last, into `taken`. Returns how many. The
  /// caller wakes them; nobody else can find them.
  std::uint32_t take_parked_locked(std::uint32_t most, Member **taken) noexcept {  // F
    std::uint32_t count = 0;
    Member *member = parked_.load_relaxed();  // [L]
    for (; count < most && member != nullptr; member = member->next) taken[count++] = member;
    if (count == 0) return 0;
    parked_.store_relaxed(member);        // [L]
    add(count * (kSearching - kParked));  // [W]
    return count;
  }
  /// In a process without the threads that slept, polled or searched.
  void forget_all_locked() noexcept {
    change([](SleepCounts &c) {
      c.searching = c.polling = c.parked = 0;
      return true;
    });
    parked_.store_relaxed(nullptr);  // [L]
  }

  SleepCounts counts() const noexcept { return unpack(word_.load_acquire()); }  // [W]

 private:
  static constexpr std::int64_t pack(SleepCounts counts) noexcept {
    return std::bit_cast<std::int64_t>(counts);
  }
  static constexpr SleepCounts unpack(std::int64_t word) noexcept {
    return std::bit_cast<SleepCounts>(word);
  }
  static constexpr std::int64_t kSearching = pack({.searching = 1});
  static constexpr std::int64_t kPolling = pack({.polling = 1});
  static constexpr std::int64_t kParked = pack({.parked = 1});
  static constexpr std::int64_t kAttached = pack({.attached = 1});

  /// No count goes below 0, so none borrows from another.
  SleepCounts add(std::int64_t difference) noexcept {
    return unpack(word_.fetch_add_acq_rel(difference) + difference);  // [W]
  }
  /// `apply(counts)` changes them, or returns false.
  template <class Apply>
  bool change(Apply apply) noexcept {
    std::int64_t old = word_.load_relaxed();  // [W]: a guess, checked by the exchange
    for (;;) {
      SleepCounts counts = unpack(old);
      if (!apply(counts)) return false;
      if (word_.compare_exchange_seq_cst(old, pack(counts))) return true;  // [W]
    }
  }
  void put(Member &member) noexcept {
    member.next = parked_.load_relaxed();  // [L]
    parked_.store_relaxed(&member);        // [L]
  }

  typename Atoms::Int64 word_{0};
  typename Atoms::template Pointer<Member> parked_{nullptr};  // last in, first out: warmest caches
};

}  // namespace nopal

#endif
