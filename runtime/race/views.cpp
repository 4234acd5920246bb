// See views.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "views.h"

#include "detector.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace nopal::race {

namespace {

/// Accesses of the library's own work are not checked, and those of callbacks, which may spawn.
class Unchecked {
 public:
  Unchecked() { Detector::get().ignore(true); }
  ~Unchecked() { Detector::get().ignore(false); }
  Unchecked(const Unchecked &) = delete;
  Unchecked &operator=(const Unchecked &) = delete;
};

constexpr std::size_t kAlignment = 64;

void *make_view(void *key, const ViewOrigin &origin) {
  const std::size_t alignment = std::max(origin.type.alignment, kAlignment);
  const std::size_t bytes = (origin.type.bytes + alignment - 1) / alignment * alignment;
  void *const memory = std::aligned_alloc(alignment, bytes);
  if (origin.is_bare)
    reinterpret_cast<void (*)(void *)>(reinterpret_cast<void *>(origin.type.identity))(memory);
  else
    origin.type.identity(key, memory);
  return memory;
}

void reduce_into(void *left, void *right, const ViewOrigin &origin) {
  origin.type.reduce(left, right);
  std::free(right);
}

}  // namespace

const Views::View *Views::find(Continuation now, const Merge *merge, void *key) const {
  const Map *views = nullptr;
  if (merge != nullptr && merge->is_at(now)) {
    if (const View *left = find(merge->into, merge->outer, key)) return left;
    views = &merge->right;
  } else if (!segments_.empty() && segments_.back().of == now) {
    views = &segments_.back().views;
  }
  if (views == nullptr) return nullptr;
  const auto found = views->find(key);
  return found == views->end() ? nullptr : &found->second;
}

Continuation Views::target(Continuation now, const Merge *merge) const {
  for (; merge != nullptr && merge->is_at(now); merge = merge->outer) now = merge->into;
  return now;
}

Views::Map &Views::make(Continuation now) {
  if (segments_.empty() || segments_.back().of != now) segments_.push_back({now, {}});
  return segments_.back().views;
}

void *Views::view(Continuation now, void *key, const ViewOrigin &origin) {
  if (const View *found = find(now, merge_, key)) return found->memory;
  const Continuation own = target(now, merge_);
  if (own == kOutermost) return key;
  const Unchecked unchecked;
  void *const memory = make_view(key, origin);
  make(own)[key] = {memory, origin};
  return memory;
}

bool Views::is_own(Continuation now, const void *key) const {
  if (now == kOutermost) return true;
  const View *const found = find(now, merge_, const_cast<void *>(key));
  return found != nullptr && found->memory == key;
}

void Views::begin(Continuation now, void *key) {
  end(key);
  const Continuation own = target(now, merge_);
  if (own != kOutermost) make(own)[key] = {key, {}};
}

void Views::end(void *key) {
  std::vector<View> ended;
  const auto take = [&](Map &views) {
    const auto found = views.find(key);
    if (found == views.end()) return;
    if (found->second.memory != key) ended.push_back(found->second);
    views.erase(found);
  };
  for (Segment &segment : segments_) take(segment.views);
  for (Merge *merge = merge_; merge != nullptr; merge = merge->outer) take(merge->right);
  const Unchecked unchecked;
  for (const View &view : ended) {
    if (view.origin.type.end) view.origin.type.end(view.memory);
    std::free(view.memory);
  }
}

void Views::reduce_last(Continuation into) {
  const Unchecked unchecked;
  Merge merge{segments_.back().of, into, std::move(segments_.back().views), merge_};
  segments_.pop_back();
  merge_ = &merge;
  while (!merge.right.empty()) {
    const auto one = merge.right.extract(merge.right.begin());
    reduce_one(merge, one.key(), one.mapped());
  }
  merge_ = merge.outer;
}

void Views::reduce_one(const Merge &merge, void *key, const View &right) {
  const View *const left = find(merge.into, merge.outer, key);
  if (left != nullptr) return reduce_into(left->memory, right.memory, right.origin);
  const Continuation into = target(merge.into, merge.outer);
  if (into != kOutermost)
    make(into).emplace(key, right);
  else if (right.memory != key)
    reduce_into(key, right.memory, right.origin);
}

}  // namespace nopal::race
