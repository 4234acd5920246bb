// See meter.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "meter.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace nopal::span {

namespace {

/// The levels at which a loop of this many leaves is divided.
unsigned levels(std::uint64_t leaves) {
  unsigned result = 0;
  while (result < 63 && (std::uint64_t{1} << result) < leaves) ++result;
  return result;
}

}  // namespace

Meter::Meter(const Clock &clock, const Costs &costs)
    : totals_(1), costs_(costs), clock_(clock), last_(clock.now()), frames_(256) {
  make_room(4, 256);
  *path_ = {};
  shares_of(path_)[0] = {};
  end_ = after(path_);
  frame_ = &frames_.front();  // of what threads call outside of all functions that spawn
  frame_->longest = nullptr;
  frame_->readings = kLongStrand;
  last_frame_ = &frames_.back();
}

Meter::~Meter() { std::free(paths_); }

void Meter::set_costs(const Costs &costs, Losses *losses) {
  costs_ = costs;
  losses_ = losses;
  longest_sure_ = losses == nullptr ? INT64_MAX : losses->shortest();
}

Share Meter::share(SiteIndex site) const {
  if (site >= used_) return {};
  const Path *path = path_;
  // Of site 0 the path from which the outermost child began has it.
  for (SiteIndex at = site_; site == 0 && at != 0; path = path->before) at = path->site_before;
  return shares_of(path)[site];
}

/// Makes the paths longer, to `shares` shares each, or lets there be twice as many.
void Meter::make_room(std::size_t shares, std::size_t paths) {
  const std::size_t old_stride = stride_;
  char *const old = paths_;
  const auto index = [&](const Path *path) {
    return static_cast<std::size_t>(reinterpret_cast<const char *>(path) - old) / old_stride;
  };
  const std::size_t count = old == nullptr ? 0 : index(end_);
  const std::size_t room =
      paths != 0 ? paths : 2 * static_cast<std::size_t>(limit_ - paths_ + old_stride) / old_stride;
  if (shares != 0) stride_ = sizeof(Path) + shares * sizeof(Share);
  paths_ = static_cast<char *>(std::malloc(room * stride_));
  if (paths_ == nullptr) {
    std::fprintf(stderr,
                 "nopal: fatal: cannot get %zu bytes for the paths of work and span; the spawns "
                 "are too deep\n",
                 room * stride_);
    std::abort();
  }
  const auto moved = [&](const Path *path) { return path ? path_at(index(path)) : nullptr; };
  for (std::size_t i = 0; i < count; ++i) {
    Path *const to = path_at(i);
    std::memcpy(to, old + i * old_stride, old_stride);
    to->before = moved(to->before);
  }
  path_ = old == nullptr ? path_at(0) : moved(path_);
  end_ = path_at(count);
  limit_ = paths_ + (room - 1) * stride_;
  for (Frame *one = frames_.data(); old != nullptr && one <= frame_; ++one)
    one->longest = moved(one->longest);
  std::free(old);
}

void Meter::use(SiteIndex site) {
  totals_.resize(site + 1);
  const SiteIndex used = std::min(site + 1, kTrackedSites);
  std::size_t shares = (stride_ - sizeof(Path)) / sizeof(Share);
  while (shares < used) shares *= 2;
  if (shares * sizeof(Share) + sizeof(Path) != stride_)
    make_room(shares, static_cast<std::size_t>(limit_ - paths_) / stride_ + 1);
  for (Path *path = path_at(0); path != end_; path = after(path))
    std::fill(shares_of(path) + used_, shares_of(path) + std::max(used, used_), Share{});
  used_ = std::max(used, used_);
  known_ = site + 1;
}

/// Called when all are in use.
void Meter::push_first_frames() {
  const std::size_t count = frames_.size();
  frames_.resize(2 * count);
  frame_ = &frames_[count - 1];
  last_frame_ = &frames_.back();
}

/// The strand that ends was measured by itself.
void Meter::time_strand(Ticks now) {
  Ticks duration = now - last_ - costs_.hook;
  last_ = now;
  if (__builtin_expect(duration > longest_sure_, false)) {
    duration -= std::min(duration, losses_->lost(duration, now));
    last_ = clock_.now();
  }
  charge(duration);
}

/// The strands since the last reading were charged at the rate that held then. What is missing the
/// next ones pay, at a new rate; if it is so much that the system or a page may be the cause, it is
/// the path's to here.
void Meter::share_time(Ticks now) {
  const Ticks strands = readings_ / kOneStrand, units = readings_ % kOneStrand;
  Ticks time = now - last_ - costs_.hook - (strands - 1) * costs_.quick_hook;
  last_ = now;
  const bool is_sure = time <= longest_sure_;
  if (__builtin_expect(!is_sure, false)) {
    time -= std::min(time, losses_->lost(time, now));
    last_ = clock_.now();
  }
  time = std::max<Ticks>(time, 0);
  uncharged_ += time - (work_ - work_at_last_);
  sharing_ += time;
  if (!is_sure) {
    charge(uncharged_);
    uncharged_ = 0;
    return;
  }
  recent_ += time;
  recent_units_ += units;
  if (recent_units_ > kWindowUnits) {
    recent_ /= 2;
    recent_units_ /= 2;
  }
  rate_ = (std::max<Ticks>(recent_ + uncharged_, 0) << kRateBits) / recent_units_;
}

void Meter::end_strand_by_clock(std::uint32_t code) {
  const Ticks now = clock_.now();
  if (readings_ >= kLongStrand || readings_ == 0) {
    time_strand(now);
  } else {
    const std::uint32_t units = code % NOPAL_SPAN_LONG;
    charge((units * rate_) >> kRateBits);
    readings_ += units + kOneStrand;
    share_time(now);
  }
  readings_ = code >= NOPAL_SPAN_LONG ? kLongStrand : 0;
  work_at_last_ = work_;
}

/// The rest of a caller's code is long.
void Meter::resume_caller() {
  const Ticks now = clock_.now();
  if (readings_ == 0)
    time_strand(now);
  else
    share_time(now);
  work_at_last_ = work_;
  time_next();
}

void Meter::stop() {
  end_strand_by_clock(NOPAL_SPAN_LONG);
  charge(uncharged_);
  uncharged_ = 0;
  end_site(totals_[site_]);
}

void Meter::go_on() {
  last_ = clock_.now();
  work_at_last_ = work_;
  time_next();
}

void Meter::loop(SiteIndex site) {
  end_strand_by_clock(NOPAL_SPAN_LONG);
  Frame &loop = push_frame();
  loop.readings = kLongStrand;
  loop.own_site = site;
  loop.leaves = 0;
  loop.began = work_;
  ++totals_[site].active;
}

/// What is between two leaves is not in the parallel program: no strand.
void Meter::leaf() {
  go_on();
  ++frame_->leaves;
  begin_child(frame_->own_site, 0, 0);
}

void Meter::leaf_end() {
  end_strand_by_clock(NOPAL_SPAN_LONG);
  end_child(0, 0);
}

void Meter::loop_end() {
  go_on();
  const Frame loop = *frame_;
  --frame_;
  if (loop.longest != nullptr) {
    end_ = loop.longest;
    merge(path_, path_->span, end_, first_share());
  }
  const Ticks divide = levels(loop.leaves) * costs_.divide;
  path_->span += divide;
  path_->burdened_span += divide + levels(loop.leaves) * costs_.burden;
  add_to_share(path_, loop.own_site, divide);
  SiteTotals &mine = totals_[loop.own_site];
  if (--mine.active == 0) mine.inclusive += work_ - loop.began;
}

}  // namespace nopal::span
