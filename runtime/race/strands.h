// Serial time, what is active, and whether an access of an earlier time may run beside the current
// one. The algorithm: README.md.
//
// Called by the hooks (hooks.cpp) and by the check of an access (detector.cpp), on the checked
// thread alone. Knows nothing of memory. Tests: tests/race.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_STRANDS_H
#define NOPAL_RACE_STRANDS_H

#include "nopal_hooks.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nopal::race {

using Time = std::uint32_t;

inline constexpr Time kNever = 0;
/// The last time there is. Above are marks of shadow memory.
inline constexpr Time kLastTime = 0xffffffef;

enum class ActiveKind : std::uint8_t { kFunction, kChild, kLoop, kIteration };

/// A child that is not yet waited for: the times of its accesses, end excluded. A loop has one
/// that stands for all iterations before the current one.
struct Child {
  Time begin, end;
  const nopal_hook_site *site;
  std::size_t parent;  // the index of the active function or loop
};

/// What has begun and not ended.
struct Active {
  Time begin;
  ActiveKind kind;
  const nopal_hook_site *site;
  std::size_t first_child;  // of all children that are not waited for, the first of this or inner
  const void *frame;        // of the function that called the hook
  std::uint64_t low;        // of an iteration
};

/// How an earlier access and the current one came to be parallel.
struct Parting {
  std::size_t active;             // the index of the function or loop in which they part
  const nopal_hook_site *former;  // the child or the loop that the earlier one is in
  Time first;                     // of that child; 0: a loop
};

class Strands {
 public:
  Strands();

  void enter(const nopal_hook_site *site, const void *frame) {
    push(ActiveKind::kFunction, now_, site, frame);
  }
  void leave() { pop(); }
  void spawn(const nopal_hook_site *site, const void *frame);
  void child_return();
  void sync();
  void loop(const nopal_hook_site *site, const void *frame);
  void leaf(const nopal_hook_site *site, const void *frame, std::uint64_t low);
  void leaf_end();
  void loop_end();

  Time now() const { return now_; }
  /// False while whatever runs is parallel to nothing, before or after.
  bool can_race() const { return strands_ + children_.size() != 0; }

  /// Whether an access of that time may run beside the current one.
  bool is_parallel(Time time) {
    if (time - serial_.begin < serial_.size) return false;
    if (time - parallel_.begin < parallel_.size) return true;
    return look_up(time);
  }
  /// Only if is_parallel.
  Parting parting(Time time) const;

  /// The innermost function or loop that is active and has children; all have returned. -1: none.
  std::size_t continuation() const {
    return children_.empty() ? ~std::size_t{0} : children_.back().parent;
  }
  /// The same outside of the innermost active one.
  std::size_t outer_continuation() const {
    const std::size_t first = active_.back().first_child;
    return first == 0 ? ~std::size_t{0} : children_[first - 1].parent;
  }

  const std::vector<Active> &active() const { return active_; }

 private:
  struct Interval {
    Time begin = 0, size = 0;
  };

  void push(ActiveKind kind, Time begin, const nopal_hook_site *site, const void *frame) {
    active_.push_back({begin, kind, site, children_.size(), frame, 0});
  }
  /// Its children have ended: none is left, but where an exception leaves a function.
  void pop();
  void move_on();
  /// The innermost that began at this time or before.
  std::size_t owner(Time time) const;
  std::size_t children_end(std::size_t active) const;
  bool look_up(Time time);

  Time now_ = 1;
  std::size_t strands_ = 0;  // children and iterations that are active
  std::vector<Active> active_;
  std::vector<Child> children_;  // not waited for, of all active functions
  Interval serial_, parallel_;   // what the last lookups say of times around theirs
};

}  // namespace nopal::race

#endif
