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
#include "nopal_race_memory.h"
#include "stack.h"

#include <cstddef>
#include <cstdint>

namespace nopal::race {

using Time = std::uint32_t;

inline constexpr Time kNever = 0;
/// The last time there is. Above are marks of shadow memory.
inline constexpr Time kLastTime = 0xffffffef;

enum class ActiveKind : std::uint8_t { kFunction, kChild, kLoop, kIteration };

struct Active;

struct Interval {
  Time begin = 0, size = 0;
};

/// The times of children that are not yet waited for, end excluded: one child, or several of one
/// parent between which no other time began. A loop has one for all iterations before the current
/// one.
struct Children {
  Time begin, end;
  const Active *parent;         // the active function or loop
  const nopal_hook_site *site;  // null: children of several sites
};

/// Of a leaf that runs several iterations as one strand, since none touches what another one
/// writes.
inline constexpr std::uint64_t kSomeIteration = 0xffffffff;

/// What has begun and not ended.
struct Active {
  Time begin;  // of a loop: of its first iteration; else its own
  ActiveKind kind;
  const nopal_hook_site *site;
  Children *first_child;    // of all that are not waited for, the first of this or inner
  const void *frame;        // of the function that called the hook
  std::uint64_t iteration;  // its number, or kSomeIteration
};

/// How an earlier access and the current one came to be parallel.
struct Parting {
  std::size_t active;             // the index of the function or loop in which they part
  const nopal_hook_site *former;  // the child or the loop that the earlier one is in; null: one
                                  // of several sites
};

class Strands {
 public:
  /// Once, before anything else.
  void start();

  void enter(const nopal_hook_site *site, const void *frame) {
    push(ActiveKind::kFunction, now_, site, frame);
  }
  void leave() { pop(); }
  void spawn(const nopal_hook_site *site, const void *frame) {
    begin_time();
    push(ActiveKind::kChild, now_, site, frame);
    ++strands_;
  }
  void child_return() {
    pop();
    const Active &child = *active_.end();
    const Active &parent = active_.top();
    --strands_;
    now_ = parent.begin;
    Children *const last = &children_.top();
    if (children_.end() != parent.first_child && last->end == child.begin) {
      last->end = last_ + 1;
      if (last->site != child.site) last->site = nullptr;
    } else {
      children_.push({child.begin, last_ + 1, &parent, child.site});
    }
    found_children(child.begin);
  }
  void sync() { forget_children(active_.top().first_child); }
  void loop(const nopal_hook_site *site, const void *frame) {
    if (last_ == kLastTime) end_of_time();
    push(ActiveKind::kLoop, last_ + 1, site, frame);
  }
  void leaf(const nopal_hook_site *site, const void *frame, std::uint64_t iteration) {
    const Active &loop = active_.top();
    const bool is_first = children_.end() == loop.first_child;
    begin_time();
    if (!is_first) {
      children_.top().end = now_;
      found_children(loop.begin);
    }
    push(ActiveKind::kIteration, now_, site, frame);
    active_.top().iteration = iteration;
    ++strands_;
  }
  void leaf_end() {
    pop();
    --strands_;
    const Active &loop = active_.top();
    if (children_.end() == loop.first_child) children_.push({loop.begin, 0, &loop, loop.site});
    children_.top().end = last_ + 1;
    found_children(loop.begin);
  }
  void loop_end() {
    pop();
    now_ = active_.top().begin;
  }

  /// No child of the innermost active one is left.
  bool is_all_waited_for() const { return children_.end() == active_.top().first_child; }

  Time now() const { return now_; }
  /// False while whatever runs is parallel to nothing, before or after.
  bool can_race() const { return strands_ != 0 || !children_.is_empty(); }

  /// Whether an access of that time may run beside the current one.
  [[gnu::always_inline]] bool is_parallel(Time time) {
    if (time >= serial_from_ || time - serial_.begin < serial_.size) return false;
    if (is_known_parallel(time)) return true;
    return look_up(time);
  }
  /// False: it may be, or not.
  bool is_known_parallel(Time time) const { return time - parallel_.begin < parallel_.size; }
  /// Only if is_parallel.
  Parting parting(Time time) const;

  /// How the last child that nothing has waited for, of which there is one, and now part.
  Parting last_parting() const { return parting(children_.end()[-1].begin); }

  /// The innermost function or loop that is active and has children; all have returned. -1: none.
  std::size_t continuation() const { return parent_of_last(children_.end()); }
  /// The same outside of the innermost active one.
  std::size_t outer_continuation() const { return parent_of_last(active_.top().first_child); }

  std::span<const Active> active() const { return active_.all(); }
  /// The active one that a hook has just ended.
  const Active *ended() const { return active_.end(); }

 private:
  [[gnu::always_inline]] void push(ActiveKind kind, Time begin, const nopal_hook_site *site,
                                   const void *frame) {
    active_.push({begin, kind, site, children_.end(), frame, 0});
  }
  /// Its children have ended: none is left, but where an exception leaves a function.
  void pop() {
    forget_children(active_.top().first_child);
    active_.pop();
  }
  void begin_time() {
    if (last_ == kLastTime) [[unlikely]]
      end_of_time();
    now_ = ++last_;
  }
  [[noreturn]] static void end_of_time();

  /// The last one is new, or has become longer: its times were not parallel before.
  void found_children(Time begin) {
    serial_from_ = children_.top().end;
    if (serial_.begin + serial_.size > begin)
      serial_ = {serial_.begin, serial_.begin < begin ? begin - serial_.begin : 0};
  }
  /// They are waited for.
  void forget_children(Children *first) {
    if (children_.end() == first) return;
    children_.cut(first);
    serial_from_ = children_.is_empty() ? 0 : children_.top().end;
    parallel_ = {};
  }
  /// Of those before that one. -1: none.
  std::size_t parent_of_last(const Children *end) const {
    return end == children_.begin() ? ~std::size_t{0} : active_.index_of(end[-1].parent);
  }
  /// The first that begin later than this time.
  Children *first_after(Time time) const;
  /// It saves all registers, so that an access that does without it need not.
  [[clang::preserve_most]] bool look_up(Time time);

  Time now_ = 1;
  Time last_ = 1;            // that began
  std::size_t strands_ = 0;  // children and iterations that are active
  // Each active one has a frame of the program's stack, which 64 GiB of them would not fit in.
  Stack<Active, std::size_t{1} << 31> active_;
  // Not waited for, of all active functions, by time.
  Stack<Children, std::size_t{1} << 32> children_;
  Time serial_from_ = 0;  // the end of the last of them
  // What the last lookups say of times around theirs. Instrumented code reads one
  // (nopal_race_memory.h).
  Interval serial_;
  static constinit Interval parallel_ __asm__(NOPAL_RACE_PARALLEL);
};

}  // namespace nopal::race

#endif
