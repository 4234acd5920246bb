// See trail.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trail.h"

#include "places.h"

namespace nopal::race {

// The system makes its pages at the first touch.
Trail::Event Trail::events_[kEvents];

Place Trail::number(const nopal_hook_site *site) {
  sites_.push_back(site);
  const_cast<nopal_hook_site *>(site)->tool = reinterpret_cast<void *>(sites_.size());
  return static_cast<Place>(sites_.size());
}

std::uint64_t Trail::start(Time time) const {
  // Times only increase, so this is a search by halves; most events begin none.
  std::uint64_t low = oldest(), high = count_;
  while (low != high) {
    const std::uint64_t middle = low + (high - low) / 2;
    std::uint64_t next = middle;
    while (next != high && begins(at(next)) == kNever) ++next;
    if (next == high || begins(at(next)) > time) {
      high = middle;
    } else if (begins(at(next)) < time) {
      low = next + 1;
    } else {
      if (at(next).call == kTime)
        while (at(next).call != kBegin) ++next;
      return next + 1;
    }
  }
  return count_;
}

/// After the mark of the iteration of that loop that holds the event. count_: forgotten.
std::uint64_t Trail::iteration_around(std::uint64_t position, const nopal_hook_site *loop) const {
  std::size_t ended = 0;
  for (; position != 0 && is_known(position - 1); --position) {
    const Event &event = at(position - 1);
    if (event.call == kEnd)
      ++ended;
    else if (event.call == kBegin && ended != 0)
      --ended;
    else if (event.call == kBegin && sites_[event.inside - 1] == loop)
      return position;
  }
  return count_;
}

std::vector<Frame> Trail::stack(Time time, Place place, Time first,
                                const nopal_hook_site *loop) const {
  const std::uint64_t now = start(time);
  const std::uint64_t begin = first != 0 ? start(first) : iteration_around(now, loop);
  if (now == count_ || begin == count_ || begin == 0) return {};
  // All that is active, the outermost first: where each function returns to, and the marks.
  std::vector<Event> active, best;
  Place nearest = 0;
  bool is_found = false;
  std::uint64_t position = begin - 1;
  if (first == 0 && position != 0) --position;  // the number of the iteration
  for (; position != count_; ++position) {
    const Event &event = at(position);
    const bool is_mark = event.call != kLeave && event.call <= kTime;
    if (position >= now && is_mark) break;
    if (event.call == kLeave) {
      if (!active.empty() && active.back().call > kTime) active.pop_back();
    } else if (event.call == kEnd) {
      while (!active.empty() && active.back().call != kBegin) active.pop_back();
      if (!active.empty()) active.pop_back();
      if (!active.empty() && active.back().call == kIteration) active.pop_back();
    } else if (event.call != kTime) {
      active.push_back(event);
    }
    if (position + 1 < now || active.empty()) continue;
    // Functions do not overlap, so the access is in the last that begins before it.
    const Place inside = active.back().inside;
    const bool can_be = active.back().call > kTime && inside <= place;
    if (!can_be || (is_found && inside <= nearest)) continue;
    is_found = true;
    nearest = inside;
    best = active;
  }
  if (!is_found) return {};
  std::vector<Frame> result{{code_at(place), nullptr, 0}};
  for (auto one = best.rbegin(); one != best.rend(); ++one) {
    if (one->call == kBegin)
      result.back().site = sites_[one->inside - 1];
    else if (one->call == kIteration)
      result.back().iteration = one->inside;
    else
      result.push_back({code_at(one->call), nullptr, 0});
  }
  return result;
}

}  // namespace nopal::race
