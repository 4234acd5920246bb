// See meter.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "meter.h"

namespace nopal::span {

namespace {

/// The levels at which a loop of this many leaves is divided.
unsigned levels(std::uint64_t leaves) {
  unsigned result = 0;
  while (result < 63 && (std::uint64_t{1} << result) < leaves) ++result;
  return result;
}

}  // namespace

Meter::Meter(Ticks now, const Costs &costs) : costs_(costs), last_(now), totals_(1) {
  enter();  // what threads call outside of all functions that spawn
}

void Meter::use(SiteIndex site) {
  if (site >= totals_.size()) totals_.resize(site + 1);
  if (site >= used_ && site < kTrackedSites) used_ = site + 1;
}

/// Gives `parent`, the top, a share for each site that was used by now. One that is new was on none
/// of its children's paths.
void Meter::extend(Entry &parent) {
  for (; parent.share_count < used_; ++parent.share_count)
    shares_.push(parent.span == kNone ? Share{0, kNone, kNone}
                                      : Share{0, kFaster * parent.span, parent.span});
}

void Meter::begin_child(SiteIndex site, Ticks burden) {
  use(site);
  extend(entries_.top());
  const Entry child{span_, burdened_span_ + burden, work_, shares_.size(), used_, site_, site};
  shares_.resize(child.shares + used_);
  std::copy_n(path_, used_, &shares_[child.shares]);
  entries_.push(child);
  site_ = site;
  ++totals_[site].count;
}

/// The path to here competes with those of the other children, and the path from before the child
/// goes on.
void Meter::end_child(Ticks burden) {
  const Entry child = entries_.pop();
  Entry &parent = entries_.top();
  const bool is_longest = span_ > parent.span;
  auto merge = [&](Share &longest, const Share &mine) {
    if (is_longest) longest.on_path = mine.on_path;
    longest.saved_faster = std::max(longest.saved_faster, kFaster * span_ - mine.saved_faster);
    longest.saved_free = std::max(longest.saved_free, span_ - mine.saved_free);
  };
  for (SiteIndex i = 0; i < child.share_count; ++i) {
    merge(shares_[parent.shares + i], path_[i]);
    path_[i] = shares_[child.shares + i];
  }
  shares_.resize(child.shares);
  extend(parent);  // for sites that ran in the child for the first time
  for (SiteIndex i = child.share_count; i < used_; ++i) {
    merge(shares_[parent.shares + i], path_[i]);
    path_[i] = {};
  }
  parent.span = std::max(parent.span, span_);
  parent.burdened_span = std::max(parent.burdened_span, burdened_span_ + burden);
  span_ = child.span;
  burdened_span_ = child.burdened_span;
  site_ = child.site;
}

/// The path to here goes on, or the longest of the children's, in each scenario of its own.
void Meter::join(Entry &parent) {
  extend(parent);
  const bool is_longest = parent.span > span_;
  const Ticks joined = std::max(span_, parent.span);
  for (SiteIndex i = 0; i < used_; ++i) {
    const Share &longest = shares_[parent.shares + i];
    Share &mine = path_[i];
    if (is_longest) mine.on_path = longest.on_path;
    mine.saved_faster =
        kFaster * joined - std::max(longest.saved_faster, kFaster * span_ - mine.saved_faster);
    mine.saved_free = joined - std::max(longest.saved_free, span_ - mine.saved_free);
  }
  span_ = joined;
  burdened_span_ = std::max(burdened_span_, parent.burdened_span);
  shares_.resize(parent.shares);
  parent.share_count = 0;
  parent.span = parent.burdened_span = kNone;
}

void Meter::spawn(SiteIndex site, Ticks now) {
  strand(now);
  begin_child(site, costs_.burden);
  ++totals_[site].active;
}

void Meter::child_return(Ticks now) {
  strand(now);
  SiteTotals &mine = totals_[site_];
  if (--mine.active == 0) mine.inclusive += work_ - entries_.top().work;
  end_child(costs_.burden);
}

void Meter::sync(Ticks now) {
  strand(now);
  join(entries_.top());
}

void Meter::loop(SiteIndex site, Ticks now) {
  strand(now);
  use(site);
  entries_.push({kNone, kNone, work_, shares_.size(), 0, site_, site});
  ++totals_[site].active;
}

/// What is between two leaves is not in the parallel program: no strand.
void Meter::leaf(Ticks now) {
  skip(now);
  Entry &loop = entries_.top();
  ++loop.leaves;
  begin_child(loop.own_site, 0);
}

void Meter::leaf_end(Ticks now) {
  strand(now);
  end_child(0);
}

void Meter::loop_end(Ticks now) {
  skip(now);
  Entry &top = entries_.top();
  if (top.leaves != 0) join(top);
  const Entry loop = entries_.pop();
  shares_.resize(loop.shares);
  const Ticks divide = levels(loop.leaves) * costs_.divide;
  add_to_path(divide, divide + levels(loop.leaves) * costs_.burden, loop.own_site);
  SiteTotals &mine = totals_[loop.own_site];
  if (--mine.active == 0) mine.inclusive += work_ - loop.work;
}

}  // namespace nopal::span
