// How many bytes the stacks of a cactus hold: live, resident and reserved, now and at peak, for each worker and in all; and how
// deep its deepest path was, which is the depth of the serial program's stack.
//
// *Reserved* is address space. *Resident* is what the system says that it has committed (mincore), to the page. *Live* are bytes
// between a resting stack's pointer and its top, all resident bytes of a running stack (only its worker knows its pointer), and
// nothing of an idle segment.
//
// Peaks. Pages of a stack appear by being touched and disappear in one place, where this library gives them back. So the sum of
// resident bytes is highest just before some giving back, and a peak that is measured before each of them misses nothing but what
// other workers touch during one measurement. kExact does that; kSampled leaves out as many as it takes to cost 1 % of the time at
// most. Checked by tests/unit/measure_test.cpp; figures: docs/space.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CACTUS_MEASURE_H
#define CACTUS_MEASURE_H

#include <cactus/segment.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cactus {

struct StackBytes {
  std::size_t live = 0;
  std::size_t resident = 0;
  std::size_t reserved = 0;  // without guard zones; adopted stacks are not counted
};

/// `now` is what the last measurement found; each number of `peak` is the highest that any has found, on its own.
struct StackUsage {
  StackBytes now;
  StackBytes peak;
};

/// The stacks that one worker runs, ran last, or keeps idle. Must outlive the segments that count for it.
class Account {
 public:
  Account() noexcept;
  ~Account();
  Account(const Account &) = delete;
  Account &operator=(const Account &) = delete;

  /// Any thread. Cost: six loads.
  StackUsage usage() const noexcept;

 private:
  friend class Meter;

  void begin() noexcept { counting_ = {}; }
  void publish() noexcept;

  StackBytes counting_;  // guarded by the meter's mutex, as is next_
  Account *next_ = nullptr;
  // live, resident, reserved. Written under the meter's mutex; relaxed: counters.
  std::array<std::atomic<std::size_t>, 3> now_{};
  std::array<std::atomic<std::size_t>, 3> peak_{};
};

/// A stack that is not a segment: a thread's own, from the page of the constructing function's frame downwards. The thread itself
/// constructs, rests and runs it.
class AdoptedStack {
 public:
  /// Asks the thread library for the stack's bounds; where it does not know them the stack counts nothing and keeps its pages.
  /// Cost: some microseconds; for a process's first thread 50 us, since /proc/self/maps is read.
  explicit AdoptedStack(Account *account) noexcept;
  ~AdoptedStack();
  AdoptedStack(const AdoptedStack &) = delete;
  AdoptedStack &operator=(const AdoptedStack &) = delete;

  /// The thread waits in a frame that `stack_pointer` belongs to: gives back what lies more than `kept_bytes` (a page or more) below.
  /// The same rules and cost as Segment::give_back_below on the stack itself.
  void come_to_rest(const void *stack_pointer, std::size_t kept_bytes) noexcept;
  /// The thread goes on; the stack's bytes count for `account`.
  void run(Account *account) noexcept;

 private:
  friend class Meter;

  char *low_ = nullptr;
  char *top_ = nullptr;  // where counting begins
  char *end_ = nullptr;
  AdoptedStack *next_ = nullptr;  // guarded by the meter's mutex
  std::atomic<Account *> account_;
  std::atomic<std::size_t> live_at_rest_{0};  // 0: runs
};

enum class Measuring : std::uint8_t { kOff, kSampled, kExact };

/// From now on; any thread. Segments that rest or idle already are asked of the system again at each measurement until they run.
void set_measuring(Measuring how) noexcept;
/// Any thread. Cost: a load.
bool is_measuring() noexcept;

/// What is_measuring() makes the library do before it gives back, done at once. Any thread but a signal handler. Cost: two mutexes,
/// a mincore for each 1024 pages of each running stack (2 us for 8 MiB that were never touched, 8 us else), and a look at each
/// descriptor.
void measure() noexcept;

/// All stacks together: a thread may have waited while another ran, so this is not the sum of the accounts' peaks. Any thread.
StackUsage usage() noexcept;

/// Most bytes that any path from the root of the cactus to a leaf was seen to have touched: S₁, the space of the serial program, as
/// far as it was measured (never more than that and the cost of the thefts on the path: about a page each). Any thread.
std::size_t deepest_path() noexcept;

/// Measurements so far. If kExact was set from the start nothing was given back unmeasured. Any thread.
std::uint64_t measurements() noexcept;

}  // namespace cactus

#endif
