// How many bytes the stacks of a cactus hold: live, resident and reserved; now and at peak; for
// each worker and in total. Also the depth of its deepest path, which is the depth of the serial
// program's stack.
//
// *Reserved* is address space. *Resident* is what the system has committed (mincore), to the page.
// *Live* is, of a suspended stack, what lies between its stack pointer and its top; of a running
// one all resident bytes, since only its worker knows its pointer; of an idle segment nothing.
//
// Peaks. A page of a stack appears by touch, and disappears in one place, where this library
// decommits it. So the sum of resident bytes is highest just before a decommit. A peak that is
// measured before each decommit misses only what other workers touch during the measurement. kExact
// does that. kSampled skips measurements so that they cost at most 1 % of the time. Test:
// tests/unit/measure_test.cpp. Figures: docs/space.md.
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

/// `now` is what the last measurement found. Each number of `peak` is the highest that any
/// measurement found, on its own.
struct StackUsage {
  StackBytes now;
  StackBytes peak;
};

/// The stacks that one worker runs, ran last, or keeps idle. Must outlive the segments that count
/// for it.
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

/// A stack that is not a segment: a thread's own, from the page of the constructing function's
/// frame down. The thread itself constructs, suspends and runs it.
class AdoptedStack {
 public:
  /// Asks the thread library for the stack's bounds. Where it does not know them, the stack counts
  /// nothing and keeps its pages. Cost: some microseconds; 50 us for a process's first thread,
  /// since the library reads /proc/self/maps.
  explicit AdoptedStack(Account *account) noexcept;
  ~AdoptedStack();
  AdoptedStack(const AdoptedStack &) = delete;
  AdoptedStack &operator=(const AdoptedStack &) = delete;

  /// The thread waits in the frame that `stack_pointer` belongs to. Decommits what lies more than
  /// `kept_bytes` (a page or more) below. Rules and cost: as Segment::decommit_below on the own
  /// stack.
  void suspend(const void *stack_pointer, std::size_t kept_bytes) noexcept;
  /// The thread goes on; the stack's bytes count for `account`.
  void run(Account *account) noexcept;

 private:
  friend class Meter;

  void decommit_up_to(char *end, char *pointer_page) noexcept;

  char *low_ = nullptr;
  char *mapped_low_ = nullptr;  // from here up all is mapped, and the stack's; falls to low_
  char *top_ = nullptr;         // counting begins here
  char *end_ = nullptr;
  AdoptedStack *next_ = nullptr;  // guarded by the meter's mutex
  std::atomic<Account *> account_;
  std::atomic<std::size_t> suspended_live_{0};  // bytes; 0: it runs
};

enum class Measuring : std::uint8_t { kOff, kSampled, kExact };

/// Sets the mode from now on. Any thread. Until a segment runs that is suspended or idle now, each
/// measurement asks the system about it again.
void set_measuring(Measuring how) noexcept;
/// Any thread. Cost: a load.
bool is_measuring() noexcept;

/// Measures now, as the library does before a decommit while is_measuring(). Any thread but a
/// signal handler. Cost: two mutexes, a mincore for each 1024 pages of each running stack (2 us for
/// 8 MiB that were never touched, else 8 us), and a read of each descriptor.
void measure() noexcept;

/// All stacks together. Not the sum of the accounts' peaks: a thread may have waited while another
/// ran. Any thread.
StackUsage usage() noexcept;

/// Most bytes that a measurement saw touched on a path from the root of the cactus to a leaf. This
/// is S₁, the space of the serial program, as far as it was measured. It exceeds S₁ by at most the
/// cost of the steals on the path, about a page each. Any thread.
std::size_t deepest_path() noexcept;

/// Where another process finds all stacks: two lists, each from the pointer at an address, and the
/// offsets in an element, of a pointer or a std::size_t. Elements of the first are never removed;
/// those of the second may be at any time.
struct StackLists {
  const void *segments;
  std::uint32_t segment_next, segment_low, segment_size;  // low is null: not mapped
  const void *adopted;
  std::uint32_t adopted_next, adopted_low, adopted_top;
};
/// Any thread. Cost: none.
StackLists stack_lists() noexcept;

/// Measurements so far. If kExact was set from the start, one preceded each decommit. Any thread.
std::uint64_t measurements() noexcept;

}  // namespace cactus

#endif
