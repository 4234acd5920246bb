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

Views::Segment *Views::find(Continuation now) {
  const bool has = !segments_.empty() && segments_.back().of == now;
  return has ? &segments_.back() : nullptr;
}

Views::Segment &Views::make(Continuation now) {
  if (Segment *segment = find(now)) return *segment;
  segments_.push_back({now, {}});
  return segments_.back();
}

void *Views::view(Continuation now, void *key, const ViewOrigin &origin) {
  if (now == kOutermost) return key;
  std::map<void *, View> &views = make(now).views;
  const auto found = views.find(key);
  if (found != views.end()) return found->second.memory;
  const Unchecked unchecked;
  void *const memory = make_view(key, origin);
  views[key] = {memory, origin};
  return memory;
}

bool Views::is_own(Continuation now, const void *key) const {
  if (now == kOutermost) return true;
  if (segments_.empty() || segments_.back().of != now) return false;
  const auto found = segments_.back().views.find(const_cast<void *>(key));
  return found != segments_.back().views.end() && found->second.memory == key;
}

void Views::begin(Continuation now, void *key) {
  end(key);
  if (now != kOutermost) make(now).views[key] = {key, {}};
}

void Views::end(void *key) {
  const Unchecked unchecked;
  for (Segment &segment : segments_) {
    const auto found = segment.views.find(key);
    if (found == segment.views.end()) continue;
    const View view = found->second;
    segment.views.erase(found);
    if (view.memory == key) continue;
    if (view.origin.type.end) view.origin.type.end(view.memory);
    std::free(view.memory);
  }
}

void Views::reduce_last(Continuation into) {
  const Unchecked unchecked;
  const Segment ended = std::move(segments_.back());
  segments_.pop_back();
  for (const auto &[key, view] : ended.views) {
    if (into == kOutermost) {
      if (view.memory != key) reduce_into(key, view.memory, view.origin);
      continue;
    }
    const auto [left, is_new] = make(into).views.emplace(key, view);
    if (!is_new) reduce_into(left->second.memory, view.memory, view.origin);
  }
}

}  // namespace nopal::race
