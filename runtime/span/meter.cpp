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

void Meter::loop(SiteIndex site, Ticks now) {
  strand(now);
  use(site);
  Entry &loop = push_parent();
  loop.work = work_;
  loop.site = site_;
  loop.own_site = site;
  loop.leaves = 0;
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
  const Entry loop = top;
  leave();
  const Ticks divide = levels(loop.leaves) * costs_.divide;
  add_to_path(divide, divide + levels(loop.leaves) * costs_.burden, loop.own_site);
  SiteTotals &mine = totals_[loop.own_site];
  if (--mine.active == 0) mine.inclusive += work_ - loop.work;
}

}  // namespace nopal::span
