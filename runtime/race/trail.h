// Which functions and strands were entered and left lately: the stack of an earlier access.
//
// Called at each function's begin and end and at the hooks, on the checked thread; read when a race
// is found. Rings, so that memory has a bound: what was long ago is forgotten. Tests: tests/race.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_TRAIL_H
#define NOPAL_RACE_TRAIL_H

#include "shadow.h"
#include "strands.h"

#include <vector>

namespace nopal::race {

/// A frame of a stack, the innermost first.
struct Frame {
  Address code;                 // the access, or after a call
  const nopal_hook_site *site;  // of the child or iteration that begins in this frame, or null
  std::uint64_t iteration;
  std::size_t left_out = 0;  // how many callers of this one are not kept
};

/// Of a deep stack the frames at its two ends stay.
void shorten(std::vector<Frame> &stack);

class Trail {
 public:
  /// A function was called, and returns after `call`; `inside` is in it.
  void enter(const void *call, const void *inside) { add(Event{low(call), low(inside)}); }
  void leave() { add(Event{kLeave, 0}); }
  /// A child or an iteration begins, and this is its first time.
  void begin(const nopal_hook_site *site, std::uint64_t iteration, Time first) {
    const auto known = static_cast<Place>(reinterpret_cast<Address>(site->tool));
    add(Event{kTime, first});
    if (site->kind == NOPAL_HOOK_LOOP) add(Event{kIteration, static_cast<Place>(iteration)});
    add(Event{kBegin, known != 0 ? known : number(site)});
  }
  /// The same of a child or an iteration whose site has begun one before.
  void begin_known_iteration(const nopal_hook_site *site, std::uint64_t iteration, Time first) {
    add(Event{kTime, first}, Event{kIteration, static_cast<Place>(iteration)},
        Event{kBegin, low(site->tool)});
  }
  void begin_known_child(const nopal_hook_site *site, Time first) {
    add(Event{kTime, first}, Event{kBegin, low(site->tool)});
  }
  /// And it is a function that was called, as by enter.
  void begin_known_child(const nopal_hook_site *site, Time first, const void *call,
                         const void *inside) {
    add(Event{kTime, first}, Event{kBegin, low(site->tool)}, Event{low(call), low(inside)});
  }
  /// A child or an iteration ends.
  void end(const Active *strand) { add(Event{kEnd, low(strand)}); }

  /// The stack of an access of that time, up to where the child or iteration begins that was active
  /// there. Empty: forgotten.
  std::vector<Frame> stack(Time time, Place place, const Active *strand) const;

 private:
  /// Either a function: where it returns to, and a place in it. Or a mark, and what belongs to it.
  struct Event {
    Place call, inside;
  };
  /// No addresses. A child begins with kTime and kBegin, an iteration with kIteration between them.
  static constexpr Place kLeave = 0, kBegin = 1, kEnd = 2, kIteration = 3, kTime = 4;
  static constexpr std::size_t kEvents = std::size_t{1} << 18;

  static Place low(const void *at) { return static_cast<Place>(reinterpret_cast<Address>(at)); }
  /// One after another, with one change of count_: a load of it waits for the store before.
  template <class... Events>
  void add(Events... events) {
    std::uint64_t position = count_;
    count_ = position + sizeof...(events);
    ((events_[position++ % kEvents] = events), ...);
  }
  const Event &at(std::uint64_t position) const { return events_[position % kEvents]; }
  bool is_known(std::uint64_t position) const { return count_ - position <= kEvents; }
  std::uint64_t oldest() const { return count_ < kEvents ? 0 : count_ - kEvents; }
  /// A new one's; kept in its record.
  Place number(const nopal_hook_site *site);
  /// After the mark of the child or iteration that began at that time; count_: forgotten.
  std::uint64_t start(Time time) const;
  /// How many children and iterations around the one that has that event end before or with the
  /// one that was active there.
  std::size_t strands_around(std::uint64_t position, const Active *strand) const;
  /// The mark of the child or iteration so many levels around that one; count_: forgotten.
  std::uint64_t begin_around(std::uint64_t position, std::size_t levels) const;

  std::uint64_t count_ = 0;
  std::vector<const nopal_hook_site *> sites_;
  static Event events_[kEvents];
};

}  // namespace nopal::race

#endif
