// See view_map.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "view_map.h"

#include "../platform/fatal.h"

#include <cstdlib>
#include <utility>

namespace nopal::hyper {
namespace {

constexpr std::size_t kFirstCapacity = 8;

}  // namespace

ViewMap::~ViewMap() { std::free(table_); }

std::size_t ViewMap::home_of(const void *hyperobject) const noexcept {
  return hash_address(hyperobject, static_cast<unsigned>(__builtin_ctzll(capacity_)));
}

ViewEntry *ViewMap::find(const void *hyperobject) noexcept {
  if (size_ == 0) return nullptr;
  for (std::size_t at = home_of(hyperobject);; at = (at + 1) & (capacity_ - 1)) {
    if (table_[at].hyperobject == hyperobject) return &table_[at];
    if (table_[at].hyperobject == nullptr) return nullptr;
  }
}

void ViewMap::put(ViewEntry entry) noexcept {
  std::size_t at = home_of(entry.hyperobject);
  while (table_[at].hyperobject != nullptr) at = (at + 1) & (capacity_ - 1);
  table_[at] = entry;
}

void ViewMap::grow() noexcept {
  const std::size_t before = capacity_;
  ViewEntry *const old = table_;
  capacity_ = before == 0 ? kFirstCapacity : 2 * before;
  table_ = static_cast<ViewEntry *>(std::calloc(capacity_, sizeof(ViewEntry)));
  if (table_ == nullptr)
    fatal(
        "cannot allocate a table for the views of %zu hyperobjects: Cannot allocate memory; use "
        "fewer hyperobjects",
        size_);
  for (std::size_t at = 0; at < before; ++at)
    if (old[at].hyperobject != nullptr) put(old[at]);
  std::free(old);
}

void ViewMap::insert(ViewEntry entry) noexcept {
  if (2 * (size_ + 1) > capacity_) grow();
  put(entry);
  ++size_;
}

/// Moves later entries of the same cluster up, so that a search never meets a gap too early.
void ViewMap::close_gap(std::size_t gap) noexcept {
  const std::size_t mask = capacity_ - 1;
  for (std::size_t at = (gap + 1) & mask; table_[at].hyperobject != nullptr; at = (at + 1) & mask) {
    const std::size_t distance = (at - home_of(table_[at].hyperobject)) & mask;
    if (distance < ((at - gap) & mask)) continue;  // its home lies after the gap
    table_[gap] = table_[at];
    gap = at;
  }
  table_[gap] = {};
}

ViewEntry ViewMap::take(const void *hyperobject) noexcept {
  ViewEntry *const found = find(hyperobject);
  if (found == nullptr) return {};
  const ViewEntry taken = *found;
  close_gap(static_cast<std::size_t>(found - table_));
  --size_;
  return taken;
}

ViewEntry ViewMap::take_next(std::size_t &cursor) noexcept {
  while (table_[cursor].hyperobject == nullptr) cursor = (cursor + 1) & (capacity_ - 1);
  const ViewEntry taken = table_[cursor];
  close_gap(cursor);
  --size_;
  return taken;
}

}  // namespace nopal::hyper
