// What a meter does at each spawn: see meter.h, which includes this, and README.md.
//
// Inline, since a strand may be shorter than a call.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_RECURRENCES_H
#define NOPAL_SPAN_RECURRENCES_H

#include "meter.h"

namespace nopal::span {

[[gnu::always_inline]] inline void Meter::add_to_share(Path *path, SiteIndex site, Ticks duration) {
  if (site >= kTrackedSites) return;
  Share &share = shares_of(path)[site];
  share.on_path += duration;
  share.saved_faster += (kFaster - 1) * duration;
  share.saved_free += duration;
}

[[gnu::always_inline]] inline void Meter::charge(Ticks duration) {
  work_ += duration;
  path_->span += duration;
  path_->burdened_span += duration;
  add_to_share(path_, site_, duration);
}

/// The strands of `its` site end here. In a recursion the site stays the same.
[[gnu::always_inline]] inline void Meter::end_site(SiteTotals &its) {
  its.own += work_ - work_at_site_;
  work_at_site_ = work_;
}

/// A strand whose code is short, and follows other such code, gets its part of their time: the
/// result. Any other is charged here, and the result is 0.
[[gnu::always_inline]] inline Ticks Meter::end_strand(std::uint32_t code) {
  const std::uint32_t readings = readings_ + code + kOneStrand;
  if (__builtin_expect(readings >= kMostStrands, false)) {
    end_strand_by_clock(code);
    return 0;
  }
  readings_ = readings;
  return (code * rate_) >> kRateBits;
}

[[gnu::always_inline]] inline Meter::Frame &Meter::push_frame() {
  if (__builtin_expect(frame_ == last_frame_, false)) push_first_frames();
  ++frame_;
  frame_->longest = nullptr;
  return *frame_;
}

[[gnu::always_inline]] inline void Meter::enter() { push_frame().readings = readings_; }

[[gnu::always_inline]] inline void Meter::leave() {
  const std::uint32_t readings = frame_->readings;
  --frame_;
  if (__builtin_expect(readings >= kLongStrand && readings_ < kLongStrand, false)) resume_caller();
}

/// There is at least one share from `first` on: that of the site which runs.
[[gnu::always_inline]] inline void Meter::copy_shares(Path *to, const Path *from, SiteIndex first) {
  const SiteIndex used = used_;
  SiteIndex i = first;
  do shares_of(to)[i] = shares_of(from)[i];
  while (++i < used);
}

/// After a strand of `duration`. (In an order in which few values are needed at once: to save and
/// restore a register costs as much as two additions.)
[[gnu::always_inline]] inline void Meter::begin_child(SiteIndex site, Ticks duration,
                                                      Ticks burden) {
  if (__builtin_expect(reinterpret_cast<char *>(end_) > limit_, false)) make_room(0, 0);
  Path *const path = path_, *const child = end_;
  const SiteIndex site_before = site_;
  path_ = child;
  end_ = after(child);
  work_ += duration;
  child->before = path;
  child->site_before = site_before;
  child->span = path->span += duration;
  const Ticks burdened_span = path->burdened_span + duration;
  child->burdened_span = burdened_span;
  path->burdened_span = burdened_span + burden;
  add_to_share(path, site_before, duration);
  copy_shares(child, path, site_before != 0);
  SiteTotals &mine = totals_[site];
  ++mine.count;
  if (site == site_before) return;
  site_ = site;
  end_site(totals_[site_before]);
  if (mine.active++ == 0) mine.began = work_;  // of a recursion only the outermost counts
}

/// `into` becomes the longer of both, in each scenario of its own.
[[gnu::always_inline]] inline void Meter::merge(Path *into, Ticks length, const Path *other,
                                                SiteIndex first) {
  const Ticks by = other->span - length, is_longer = -Ticks{by > 0};  // all bits, or none
  const Ticks mine_by = by & is_longer;
  into->span = length + mine_by;
  into->burdened_span = std::max(into->burdened_span, other->burdened_span);
  // A scenario's length is the path's less what is saved; so the longest of both saves least.
  const SiteIndex used = used_;
  SiteIndex i = first;
  do {
    Share &mine = shares_of(into)[i];
    const Share its = shares_of(other)[i];
    mine.on_path += (its.on_path - mine.on_path) & is_longer;
    mine.saved_faster =
        std::min(mine.saved_faster, its.saved_faster - kFaster * by) + kFaster * mine_by;
    mine.saved_free = std::min(mine.saved_free, its.saved_free - by) + mine_by;
  } while (++i < used);
}

/// After a strand of `duration`: the path to here competes with those of the other children, and
/// the path from before the child goes on. The first child's stays where it is.
[[gnu::always_inline]] inline void Meter::end_child(Ticks duration, Ticks burden) {
  Path *const child = path_;
  const SiteIndex site = site_, site_before = child->site_before;
  path_ = child->before;
  work_ += duration;
  child->span += duration;
  child->burdened_span += duration + burden;
  add_to_share(child, site, duration);
  if (site != site_before) {
    SiteTotals &mine = totals_[site];
    site_ = site_before;
    end_site(mine);
    if (--mine.active == 0) mine.inclusive += work_ - mine.began;
  }
  Path *const longest = frame_->longest;
  if (longest == nullptr) {
    frame_->longest = child;
    return;
  }
  end_ = child;
  merge(longest, longest->span, child, site_before != 0);
}

[[gnu::always_inline]] inline void Meter::spawn(SiteIndex site, std::uint32_t code) {
  begin_child(site, end_strand(code), costs_.burden);
}

[[gnu::always_inline]] inline void Meter::child_return(std::uint32_t code) {
  end_child(end_strand(code), costs_.burden);
}

/// The path to here goes on, or the longest of the children's.
[[gnu::always_inline]] inline void Meter::sync(std::uint32_t code) {
  const Ticks duration = end_strand(code);
  Path *const path = path_, *const longest = frame_->longest;
  const SiteIndex site = site_;
  const Ticks span = path->span + duration;
  work_ += duration;
  path->burdened_span += duration;
  add_to_share(path, site, duration);
  if (__builtin_expect(longest == nullptr, false)) {
    path->span = span;
    return;
  }
  end_ = longest;
  frame_->longest = nullptr;
  merge(path, span, longest, site != 0);
}

}  // namespace nopal::span

#endif
