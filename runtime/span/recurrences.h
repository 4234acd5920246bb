// What a meter does at each spawn: see meter.h, which includes this, and README.md.
//
// Inline, since a strand may be shorter than a call.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_RECURRENCES_H
#define NOPAL_SPAN_RECURRENCES_H

#include "meter.h"

namespace nopal::span {

inline void Meter::add_to_path(Ticks duration, Ticks burdened, SiteIndex site) {
  span_ += duration;
  burdened_span_ += burdened;
  if (site < kTrackedSites) {
    path_[site].on_path += duration;
    path_[site].saved_faster += (kFaster - 1) * duration;
    path_[site].saved_free += duration;
  }
}

inline void Meter::strand(Ticks now) {
  Ticks duration = now - last_ - costs_.hook;
  last_ = now;
  if (__builtin_expect(duration > longest_sure_, false)) {
    duration -= std::min(duration, losses_->lost());
    last_ = losses_->now();
  }
  work_ += duration;
  totals_[site_].own += duration;
  add_to_path(duration, duration, site_);
}

inline void Meter::use(SiteIndex site) {
  if (__builtin_expect(site >= totals_.size(), false)) totals_.resize(site + 1);
  if (site >= used_ && site < kTrackedSites) used_ = site + 1;
}

inline Meter::Entry &Meter::push_parent() {
  Entry &parent = entries_.push();
  parent.span = parent.burdened_span = kNone;
  parent.shares = shares_.size();
  parent.share_count = 0;
  return parent;
}

inline void Meter::enter() { push_parent(); }

inline void Meter::leave() {
  shares_.resize(entries_.top().shares);
  entries_.pop();
}

/// Gives `parent`, the top, a share for each site that was used by now. One that is new was on none
/// of its children's paths.
inline void Meter::extend(Entry &parent) {
  for (; parent.share_count < used_; ++parent.share_count)
    shares_.push() = parent.span == kNone ? Share{0, kNone, kNone}
                                          : Share{0, kFaster * parent.span, parent.span};
}

inline void Meter::begin_child(SiteIndex site, Ticks burden) {
  use(site);
  extend(entries_.top());
  Entry &child = entries_.push();
  child.span = span_;
  child.burdened_span = burdened_span_ + burden;
  child.work = work_;
  child.shares = shares_.size();
  child.share_count = used_;
  child.site = site_;
  shares_.resize(child.shares + used_);
  Share *const copy = shares_.at(child.shares);
  for (SiteIndex i = 0; i < used_; ++i) copy[i] = path_[i];
  site_ = site;
  ++totals_[site].count;
}

/// The path to here competes with those of the other children, and the path from before the child
/// goes on.
inline void Meter::end_child(Ticks burden) {
  const Entry child = entries_.top();
  entries_.pop();
  Entry &parent = entries_.top();
  const bool is_longest = span_ > parent.span;
  auto merge = [&](Share &longest, const Share &mine) {
    if (is_longest) longest.on_path = mine.on_path;
    longest.saved_faster = std::max(longest.saved_faster, kFaster * span_ - mine.saved_faster);
    longest.saved_free = std::max(longest.saved_free, span_ - mine.saved_free);
  };
  Share *const longest = shares_.at(parent.shares), *const before = shares_.at(child.shares);
  for (SiteIndex i = 0; i < child.share_count; ++i) {
    merge(longest[i], path_[i]);
    path_[i] = before[i];
  }
  shares_.resize(child.shares);
  if (__builtin_expect(child.share_count < used_, false)) {
    extend(parent);  // for sites that ran in the child for the first time
    for (SiteIndex i = child.share_count; i < used_; ++i) {
      merge(*shares_.at(parent.shares + i), path_[i]);
      path_[i] = {};
    }
  }
  parent.span = std::max(parent.span, span_);
  parent.burdened_span = std::max(parent.burdened_span, burdened_span_ + burden);
  span_ = child.span;
  burdened_span_ = child.burdened_span;
  site_ = child.site;
}

/// The path to here goes on, or the longest of the children's, in each scenario of its own.
inline void Meter::join(Entry &parent) {
  extend(parent);
  const bool is_longest = parent.span > span_;
  const Ticks joined = std::max(span_, parent.span);
  const Share *const longest = shares_.at(parent.shares);
  for (SiteIndex i = 0; i < used_; ++i) {
    Share &mine = path_[i];
    if (is_longest) mine.on_path = longest[i].on_path;
    mine.saved_faster =
        kFaster * joined - std::max(longest[i].saved_faster, kFaster * span_ - mine.saved_faster);
    mine.saved_free = joined - std::max(longest[i].saved_free, span_ - mine.saved_free);
  }
  span_ = joined;
  burdened_span_ = std::max(burdened_span_, parent.burdened_span);
  shares_.resize(parent.shares);
  parent.share_count = 0;
  parent.span = parent.burdened_span = kNone;
}

inline void Meter::spawn(SiteIndex site, Ticks now) {
  strand(now);
  begin_child(site, costs_.burden);
  ++totals_[site].active;
}

inline void Meter::child_return(Ticks now) {
  strand(now);
  SiteTotals &mine = totals_[site_];
  if (--mine.active == 0) mine.inclusive += work_ - entries_.top().work;
  end_child(costs_.burden);
}

inline void Meter::sync(Ticks now) {
  strand(now);
  join(entries_.top());
}

}  // namespace nopal::span

#endif
