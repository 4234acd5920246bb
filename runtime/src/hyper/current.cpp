// See current.h; rules in README.md, "The merge itself" and "A hyperobject that dies".
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "current.h"

#include "../platform/fatal.h"

#include <link.h>

#include <cstdint>
#include <new>
#include <utility>

namespace nopal::hyper {
namespace {

ViewMap *new_map() noexcept {
  auto *map = new (std::nothrow) ViewMap;
  if (map == nullptr)
    fatal("cannot allocate the views of a strand: Cannot allocate memory; use fewer hyperobjects");
  return map;
}

/// It lies in the image of the program or of a library. Cost: some ten nanoseconds for each
/// library. Takes no lock that dlopen holds while constructors run.
bool is_static(void *object) noexcept {
  const auto holds = [](dl_phdr_info *image, std::size_t, void *address) {
    for (int i = 0; i < image->dlpi_phnum; ++i) {
      const auto &part = image->dlpi_phdr[i];
      const std::uintptr_t begin = image->dlpi_addr + part.p_vaddr;
      if (part.p_type == PT_LOAD &&
          reinterpret_cast<std::uintptr_t>(address) - begin < part.p_memsz)
        return 1;
    }
    return 0;
  };
  return dl_iterate_phdr(holds, object) != 0;
}

}  // namespace

void CurrentViews::enter(Views views) noexcept {
  is_leftmost_ = views.is_leftmost;
  map_ = views.map;
  void_since_ = views.void_since;
  set_stolen();
}

Views CurrentViews::leave() noexcept {
  if (callbacks_ != 0) [[unlikely]]
    fatal(
        "a callback of a hyperobject spawns or syncs; let identity and reduce do their work "
        "serially");
  forget_all();
  const Views views{std::exchange(is_leftmost_, false), std::exchange(map_, nullptr),
                    std::exchange(void_since_, nullptr)};
  stolen = table();
  return views;
}

void *CurrentViews::view(void *hyperobject, const Origin &origin) {
  const bool is_merging = right_ != nullptr;
  for (ViewMap *map : {map_, right_}) {
    const ViewEntry *found = map != nullptr ? map->find(hyperobject) : nullptr;
    if (found == nullptr) continue;
    const Lifetime *now = nullptr;
    const bool has_lifetime = origin.type != nullptr && origin.type->lifetime != nullptr;
    if (!found->is_home() && has_lifetime) now = Lifetime::find(origin.type->lifetime(hyperobject));
    if (found->is_home() || !has_lifetime || lifetime_of_view(found->view) == now) {
      if (!is_merging) remember(*found);
      return found->view;
    }
    discard_entry(map->take(hyperobject));  // of one that has died, at the same address
  }
  if (is_leftmost_) return hyperobject;
  struct Callback {
    std::uint32_t &count;
    explicit Callback(std::uint32_t &callbacks) noexcept : count(callbacks) { ++count; }
    ~Callback() { --count; }
  } const callback(callbacks_);
  const ViewEntry made{hyperobject, create_view(hyperobject, origin)};
  counters_.views_created.add();
  counters_.views_peak.raise_to(live_views());
  if (map_ == nullptr) map_ = new_map();
  map_->insert(made);
  if (!is_merging) remember(made);
  return made.view;
}

void CurrentViews::begin(void *hyperobject) noexcept {
  end(hyperobject);  // an older one's
  if (is_leftmost_ && right_ == nullptr) return;
  if (is_static(hyperobject)) return;  // strands that are serially earlier may use it
  if (is_leftmost_) {
    right_->insert({hyperobject, hyperobject});  // made by a callback of a merge
    return;
  }
  if (map_ == nullptr) map_ = new_map();
  map_->insert({hyperobject, hyperobject});
}

void CurrentViews::end(void *hyperobject) noexcept {
  forget(hyperobject);
  for (ViewMap *map : {map_, right_})
    if (map != nullptr) discard_entry(map->take(hyperobject));
}

void CurrentViews::begin_void(const nopal_frame *frame) noexcept {
  if (void_since_ != nullptr && void_since_->frame == frame) return;
  auto *since = new (std::nothrow) Void{frame, leave()};
  if (since == nullptr)
    fatal("cannot put the views of a strand aside: Cannot allocate memory; use fewer workers");
  enter({.void_since = since});
}

void CurrentViews::end_void(const nopal_frame *frame) noexcept {
  if (void_since_ == nullptr || void_since_->frame != frame) return;
  Views views = leave();
  Void *const since = std::exchange(views.void_since, nullptr);
  discard(views);
  enter(since->before);
  delete since;
}

Views CurrentViews::merge(Views left, Views right) noexcept {
  if (right.are_none()) return left;
  if (left.are_none()) {
    right.void_since = left.void_since;  // of the strand that goes on
    return right;
  }
  work_begins(left, right.map);
  for (std::size_t cursor = 0; right_->size() != 0;) merge_entry(right_->take_next(cursor));
  return work_ends();
}

void CurrentViews::discard(Views views) noexcept {
  if (views.map == nullptr) return;
  work_begins(Views::none(), views.map);
  for (std::size_t cursor = 0; right_->size() != 0;) discard_entry(right_->take_next(cursor));
  const Views made = work_ends();  // by a callback: of no strand
  discard(made);
}

void CurrentViews::work_begins(Views left, ViewMap *right) noexcept {
  right_ = right;
  enter(left);
  ++callbacks_;
}

Views CurrentViews::work_ends() noexcept {
  --callbacks_;
  delete std::exchange(right_, nullptr);
  return leave();
}

void CurrentViews::merge_entry(ViewEntry right) noexcept {
  void *const hyperobject = right.hyperobject;
  if (is_leftmost_) {
    if (right.is_home()) return;
    if (reduce_view(hyperobject, right.view, true)) counters_.views_merged.add();
    return;
  }
  ViewEntry *found = map_ != nullptr ? map_->find(hyperobject) : nullptr;
  if (found != nullptr) {
    const ViewEntry left = *found;
    const bool is_older = right.is_home() || (!left.is_home() && lifetime_of_view(left.view) !=
                                                                     lifetime_of_view(right.view));
    if (!is_older) {
      if (reduce_view(left.view, right.view, left.is_home())) counters_.views_merged.add();
      return;
    }
    discard_entry(map_->take(hyperobject));
  }
  if (map_ == nullptr) map_ = new_map();
  map_->insert(right);
}

/// Nothing, if the entry is empty.
void CurrentViews::discard_entry(ViewEntry entry) noexcept {
  if (entry.hyperobject == nullptr || entry.is_home()) return;
  ++callbacks_;
  discard_view(entry.view);
  --callbacks_;
}

void CurrentViews::remember(ViewEntry entry) noexcept {
  const std::size_t slot = slot_of(entry.hyperobject);
  recent_[slot] = entry;
  used_ |= std::uint64_t{1} << slot;
}

void CurrentViews::forget(const void *hyperobject) noexcept {
  ViewEntry &slot = recent_[slot_of(hyperobject)];
  if (slot.hyperobject == hyperobject) slot = {};
}

void CurrentViews::forget_all() noexcept {
  for (; used_ != 0; used_ &= used_ - 1)
    recent_[static_cast<std::size_t>(__builtin_ctzll(used_))] = {};
}

}  // namespace nopal::hyper
