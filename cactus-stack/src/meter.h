// Walks over all stacks and adds up what they hold. Internal to cactus; specified in
// cactus/measure.h.
//
// segment.cpp calls it before it decommits pages, and so does every query. Lock order: the meter's
// mutex, then the registry's.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CACTUS_SRC_METER_H
#define CACTUS_SRC_METER_H

#include <cactus/measure.h>

#include <cstddef>

namespace cactus {

/// The resident part of a stack.
struct Touched {
  std::size_t resident_bytes = 0;
  std::size_t depth_bytes = 0;  // from the top down to the lowest resident page, inclusive
};

/// Of [low, low + size_bytes), from the top down to the first page that is not mapped.
Touched touched(const char *low, std::size_t size_bytes) noexcept;
inline Touched touched(const Segment &segment) noexcept {
  return touched(static_cast<const char *>(segment.low()), segment.size_bytes());
}

class Meter {
 public:
  /// measure(), unless the mode is kSampled and the last measurement is too recent.
  static void measure_before_decommit() noexcept;
  static void measure() noexcept;
  /// Bytes of the path from the root to `address`, which lies on a stack known here; else 0.
  static std::ptrdiff_t depth_of(const void *address) noexcept;
  /// A suspended segment was trimmed, so what it holds does not change until it runs. Caller: the
  /// thread that keeps it from running.
  static void note_suspended(Segment &segment) noexcept;
  /// Decommits a part of a stack, whole pages, and counts it. False if some of it is not mapped,
  /// which is skipped, or the system refuses. Keeps errno.
  static bool decommit(char *low, std::size_t size_bytes) noexcept;

  /// Adds one segment to resident(); asks the system.
  static void count_resident(const Segment &segment, Resident &sum) noexcept;

  static void add(Account &account) noexcept;
  static void remove(Account &account) noexcept;
  static void add(AdoptedStack &stack) noexcept;
  static void remove(AdoptedStack &stack) noexcept;

  static StackLists lists() noexcept;

 private:
  static void measure_locked() noexcept;
  static void count_segment(Segment &segment, Account &total) noexcept;
  static void count_adopted(AdoptedStack &stack, Account &total) noexcept;
};

}  // namespace cactus

#endif
