// See strands.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "strands.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace nopal::race {

Strands::Strands() {
  push(ActiveKind::kFunction, 0, nullptr, nullptr);  // what calls the outermost of the program
}

void Strands::end_of_time() {
  std::fprintf(stderr,
               "nopal: fatal: the race detector cannot count more than %u strands; "
               "take a smaller input\n",
               kLastTime);
  std::_Exit(2);
}

std::size_t Strands::owner(Time time) const {
  const auto after =
      std::upper_bound(active_.begin(), active_.end(), time,
                       [](Time value, const Active &one) { return value < one.begin; });
  return static_cast<std::size_t>(after - active_.begin()) - 1;
}

std::size_t Strands::children_end(std::size_t active) const {
  return active + 1 < active_.size() ? active_[active + 1].first_child : children_.size();
}

/// What ran before is parallel if a child did it that nothing has waited for.
bool Strands::look_up(Time time) {
  auto next = children_.end();
  for (int near = 0; near != 4 && next != children_.begin() && time < next[-1].begin; ++near)
    --next;
  if (next != children_.begin() && time < next[-1].begin)
    next = std::upper_bound(children_.begin(), next, time,
                            [](Time value, const Child &child) { return value < child.begin; });
  const Time begin = next == children_.begin() ? 0 : next[-1].end;
  if (time < begin) {
    parallel_ = {next[-1].begin, begin - next[-1].begin};
    return true;
  }
  serial_ = {begin, (next == children_.end() ? now_ + 1 : next->begin) - begin};
  return false;
}

Parting Strands::parting(Time time) const {
  const std::size_t index = owner(time);
  if (active_[index].kind == ActiveKind::kLoop) return {index, active_[index].site, 0};
  for (std::size_t i = active_[index].first_child; i < children_end(index); ++i)
    if (time >= children_[i].begin && time < children_[i].end)
      return {index, children_[i].site, children_[i].begin};
  return {index, nullptr, 0};
}

}  // namespace nopal::race
