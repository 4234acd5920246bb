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

void Strands::move_on() {
  if (now_ == kLastTime) {
    std::fprintf(stderr,
                 "nopal: fatal: the race detector cannot count more than %u strands; "
                 "take a smaller input\n",
                 kLastTime);
    std::_Exit(2);
  }
  ++now_;
}

void Strands::pop() {
  children_.resize(active_.back().first_child);
  active_.pop_back();
}

void Strands::spawn(const nopal_hook_site *site, const void *frame) {
  move_on();
  push(ActiveKind::kChild, now_, site, frame);
  ++strands_;
}

void Strands::child_return() {
  const Time begin = active_.back().begin;
  const nopal_hook_site *site = active_.back().site;
  pop();
  --strands_;
  move_on();
  children_.push_back({begin, now_, site, active_.size() - 1});
  serial_ = {};
}

void Strands::sync() {
  children_.resize(active_.back().first_child);
  parallel_ = {};
}

void Strands::loop(const nopal_hook_site *site, const void *frame) {
  if (now_ == kLastTime) move_on();  // ends the process
  push(ActiveKind::kLoop, now_ + 1, site, frame);
}

void Strands::leaf(const nopal_hook_site *site, const void *frame, std::uint64_t low) {
  move_on();
  push(ActiveKind::kIteration, now_, site, frame);
  active_.back().low = low;
  ++strands_;
}

void Strands::leaf_end() {
  pop();
  const Active &loop = active_.back();
  if (children_.size() == loop.first_child)
    children_.push_back({loop.begin, loop.begin + 1, loop.site, active_.size() - 1});
  --strands_;
  serial_ = {};
}

void Strands::loop_end() {
  pop();
  parallel_ = {};
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

bool Strands::look_up(Time time) {
  const std::size_t index = owner(time);
  const Active &one = active_[index];
  Time begin = one.begin;
  Time end = index + 1 < active_.size() ? active_[index + 1].begin : now_ + 1;
  bool is_parallel = one.kind == ActiveKind::kLoop;
  if (is_parallel) {
    parallel_ = {begin, end - begin};
    return true;
  }
  const auto first = children_.begin() + static_cast<std::ptrdiff_t>(one.first_child);
  const auto last = children_.begin() + static_cast<std::ptrdiff_t>(children_end(index));
  const auto next = std::upper_bound(
      first, last, time, [](Time value, const Child &child) { return value < child.begin; });
  if (next != last) end = std::min(end, next->begin);
  if (next != first) {
    const Child &before = next[-1];
    is_parallel = time < before.end;
    begin = is_parallel ? before.begin : before.end;
    if (is_parallel) end = before.end;
  }
  (is_parallel ? parallel_ : serial_) = {begin, end - begin};
  return is_parallel;
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
