// See trail.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trail.h"

#include "places.h"

namespace nopal::race {

void shorten(std::vector<Frame> &stack) {
  constexpr std::size_t kEnd = 50;
  if (stack.size() <= 2 * kEnd) return;
  stack[kEnd - 1].left_out = stack.size() - 2 * kEnd;
  stack.erase(stack.begin() + kEnd, stack.end() - kEnd);
}

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
    while (next != high && at(next).call != kTime) ++next;
    if (next == high || at(next).inside > time) {
      high = middle;
    } else if (at(next).inside < time) {
      low = next + 1;
    } else {
      while (at(next).call != kBegin) ++next;
      return next + 1;
    }
  }
  return count_;
}

std::size_t Trail::strands_around(std::uint64_t position, const Active *strand) const {
  std::size_t inner = 0, ended = 0;
  for (; position != count_; ++position) {
    const Event &event = at(position);
    if (event.call == kBegin)
      ++inner;
    else if (event.call != kEnd)
      continue;
    else if (inner != 0)
      --inner;
    else if (event.inside == low(strand))
      return ended;
    else
      ++ended;
  }
  return ended;
}

std::uint64_t Trail::begin_around(std::uint64_t position, std::size_t levels) const {
  for (std::size_t ended = 0; levels != 0;) {
    if (position == 0 || !is_known(position - 1)) return count_;
    const Event &event = at(--position);
    if (event.call == kEnd)
      ++ended;
    else if (event.call == kBegin && ended != 0)
      --ended;
    else if (event.call == kBegin)
      --levels;
  }
  return position;
}

std::vector<Frame> Trail::stack(Time time, Place place, const Active *strand) const {
  const std::uint64_t now = start(time);
  if (now == count_) return {};
  const std::size_t own_depth = strands_around(now, strand) + 1;
  std::uint64_t position = begin_around(now, own_depth);
  if (position == count_) return {};
  if (position != 0 && is_known(position - 1) && at(position - 1).call == kIteration) --position;
  // All that is active, the outermost first: where each function returns to, and the marks.
  std::vector<Event> active, best;
  Place nearest = 0;
  bool is_found = false;
  for (std::size_t depth = 0; position != count_; ++position) {
    const Event &event = at(position);
    if (event.call == kLeave) {
      if (!active.empty() && active.back().call > kTime) active.pop_back();
    } else if (event.call == kEnd) {
      if (position >= now && depth == own_depth) break;
      --depth;
      while (!active.empty() && active.back().call != kBegin) active.pop_back();
      if (!active.empty()) active.pop_back();
      if (!active.empty() && active.back().call == kIteration) active.pop_back();
    } else if (event.call != kTime) {
      depth += event.call == kBegin;
      active.push_back(event);
    }
    // The time goes on after each child of the strand.
    if (position + 1 < now || depth != own_depth) continue;
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
  shorten(result);
  return result;
}

}  // namespace nopal::race
