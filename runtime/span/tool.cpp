// See tool.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tool.h"

#include "../src/platform/c_locale.h"
#include "../src/platform/floating_point.h"
#include "../src/platform/whole_file.h"
#include "burden.h"
#include "report.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace nopal::span {

Tool *Tool::tool_ = nullptr;
constinit thread_local Meter *Tool::own_meter_ = nullptr;

namespace {

// One level of a loop's division: a spawn and a few instructions (docs/performance.md).
constexpr double kDivideNs = 3;

struct OpenRegion {
  std::string name;
  WorkSpan begin;
};

std::vector<OpenRegion> &open_regions() {
  thread_local auto *const own = new std::vector<OpenRegion>;
  return *own;
}

WorkSpan operator-(const WorkSpan &a, const WorkSpan &b) {
  return {a.work - b.work, a.span - b.span, a.burdened_span - b.burdened_span};
}

class ThreadLosses final : public Meter::Losses {
 public:
  ThreadLosses(const Clock &clock, double *sum_ns)
      : Losses(clock.to_ticks(Interruptions::kShortestNs)), clock_(clock), sum_ns_(sum_ns) {}
  Ticks lost(Ticks strand, Ticks end) override {
    const double ns = interruptions_.lost_ns(clock_.to_ns(static_cast<double>(strand)));
    if (clock_.now() - end > shortest()) {
      // An interruption came between the strand and the question, or in that: not the strand's.
      interruptions_ = Interruptions();
      return 0;
    }
    if (sum_ns_ != nullptr) *sum_ns_ += ns;
    return clock_.to_ticks(ns);
  }

 private:
  const Clock &clock_;
  double *sum_ns_;
  Interruptions interruptions_;
};

/// Ends the last strand of a thread that is not the program's first.
struct ThreadEnd {
  Meter *meter = nullptr;
  ~ThreadEnd() {
    if (meter != nullptr) meter->stop();
  }
};

[[gnu::noinline]] void tree(int depth) {
  if (depth == 0) return;
  asm volatile("" ::: "memory");
  tree(depth - 1);
  tree(depth - 1);
}

[[gnu::noinline]] void tree_with_hooks(int depth, std::uint32_t code) {
  static nopal_hook_site site = {
      "", "", 0, 0, NOPAL_HOOK_SPAWN, 0, reinterpret_cast<void *>(std::uintptr_t{2})};
  if (depth == 0) return;
  __nopal_span_enter_spawn(&site, code);
  tree_with_hooks(depth - 1, code);
  __nopal_span_return(code);
  tree_with_hooks(depth - 1, code);
  __nopal_span_sync_leave(code);
}

double measure_read_ns(const Clock &clock) {
  constexpr int kReads = 2000;
  Ticks start = Clock::steady_ns(), seen = 0;
  for (int i = 0; i < kReads; ++i) {
    seen += clock.now();
    asm volatile("" : "+r"(seen));
  }
  return static_cast<double>(Clock::steady_ns() - start) / kReads;
}

}  // namespace

Tool::Tool(const Options &chosen)
    : clock(chosen.clock), options(chosen), main_meter_(clock, {0, 0, 0, 0}) {}

void Tool::start() {
  if (tool_ != nullptr) return;
  tool_ = new Tool(read_options());
  // Now: a fork copies little, and what the program writes later is not shared with the child.
  tool_->first_use();
  std::atexit(report);
}

Meter &Tool::first_use() {
  const bool is_main = pthread_equal(pthread_self(), main_thread_) != 0;
  if (is_main) main_meter_.stop();
  std::call_once(calibrated_, [this] { calibrate(); });
  if (is_main) {
    main_meter_.set_costs(costs_, watch_losses());
    own_meter_ = &main_meter_;
  } else {
    own_meter_ = new Meter(clock, costs_);
    own_meter_->set_costs(costs_, watch_losses());
    static thread_local ThreadEnd at_end;
    at_end.meter = own_meter_;
    const std::lock_guard lock(mutex_);
    others_.push_back(own_meter_);
  }
  own_meter_->go_on();
  return *own_meter_;
}

SiteIndex Tool::first_use(nopal_hook_site &record, Meter &meter) {
  SiteIndex index = SiteTable::index_of(record);
  if (index == SiteTable::kNotAdded) index = sites.add(record);
  if (!meter.knows(index)) meter.use(index);  // another record of the same place may have told it
  return index;
}

Meter::Losses *Tool::watch_losses() {
  if (clock.kind() == ClockKind::kCount) return nullptr;
  const bool is_main = pthread_equal(pthread_self(), main_thread_) != 0;
  return new ThreadLosses(clock, is_main ? &lost_ns_ : nullptr);
}

void Tool::calibrate() {
  const DefaultFloatingPoint floating_point;
  const bool is_time = clock.kind() != ClockKind::kCount;
  calibration_.burden_ns = options.burden_ns;
  if (options.burden_ns < 0) {
    calibration_.burden_ns = is_time ? measure_burden_ns() : 0;
    calibration_.is_burden_measured = calibration_.burden_ns >= 0;
    if (!calibration_.is_burden_measured) calibration_.burden_ns = kAssumedBurdenNs;
  }
  clock.measure_rate();
  calibration_.read_ns = measure_read_ns(clock);
  if (is_time) measure_hooks();
  costs_.burden = clock.to_ticks(calibration_.burden_ns);
  costs_.divide = is_time ? clock.to_ticks(kDivideNs) : 1;
}

/// On a meter of its own, in a tree as fib is one: through calls, and with a stack that grows and
/// shrinks.
void Tool::measure_hooks() {
  // A batch is short, so that some are not interrupted.
  constexpr int kBatches = 200, kDepth = 5, kStrandsEach = 3, kSpawns = (1 << kDepth) - 1;
  Meter scratch(clock, {0, 0, 0, 0});
  own_meter_ = &scratch;
  auto quickest = [&](bool has_hooks, std::uint32_t code) {
    Ticks least = INT64_MAX;
    for (int batch = 0; batch < kBatches; ++batch) {
      const Ticks start = clock.now();
      has_hooks ? tree_with_hooks(kDepth, code) : tree(kDepth);
      least = std::min(least, clock.now() - start);
    }
    return least;
  };
  const Ticks alone = quickest(false, 0);
  costs_.hook = (quickest(true, NOPAL_SPAN_LONG) - alone) / (kSpawns * kStrandsEach);
  costs_.quick_hook = (quickest(true, 1) - alone) / (kSpawns * kStrandsEach);
  own_meter_ = nullptr;
}

double Tool::seconds(Ticks ticks) const { return clock.to_ns(static_cast<double>(ticks)) * 1e-9; }

void Tool::begin_region(const char *name) {
  Meter &own = meter();
  own.stop();
  open_regions().push_back({name, own.total()});
  own.go_on();
}

void Tool::end_region() {
  Meter &own = meter();
  own.stop();
  if (!open_regions().empty()) {
    const OpenRegion open = std::move(open_regions().back());
    open_regions().pop_back();
    const WorkSpan spent = own.total() - open.begin;
    const std::lock_guard lock(mutex_);
    Region &region = regions_[open.name];
    ++region.count;
    region.sum.work += spent.work;
    region.sum.span += spent.span;
    region.sum.burdened_span += spent.burdened_span;
  }
  own.go_on();
}

std::map<std::string, Region> Tool::regions() const {
  const std::lock_guard lock(mutex_);
  return regions_;
}

void Tool::note_unseen(const char *file, std::uint32_t line, std::uint32_t column) {
  const std::lock_guard lock(mutex_);
  if (unseen_.empty())
    unseen_ = std::string(file) + ":" + std::to_string(line) + ":" + std::to_string(column);
}

std::string Tool::unseen() const {
  const std::lock_guard lock(mutex_);
  return unseen_;
}

std::vector<const Meter *> Tool::meters() const {
  const std::lock_guard lock(mutex_);
  std::vector<const Meter *> all{&main_meter_};
  all.insert(all.end(), others_.begin(), others_.end());
  return all;
}

void Tool::dump(const WorkSpan &figures, const char *tag) {
  const std::lock_guard lock(mutex_);
  const FileSizeSignalBlocked blocked;
  const CLocale locale;
  const DefaultFloatingPoint floating_point;
  if (csv_ == nullptr) {
    csv_ = options.csv_path.empty() ? stdout : std::fopen(options.csv_path.c_str(), "w");
    if (csv_ == nullptr) {
      std::fprintf(stderr, "nopal: cannot write '%s': %s; the table goes to standard output\n",
                   options.csv_path.c_str(), std::strerror(errno));
      csv_ = stdout;
    }
    std::fputs(kCilkscaleHeader, csv_);
  }
  const double work = seconds(figures.work), span = seconds(figures.span);
  const double burdened = seconds(figures.burdened_span);
  std::fprintf(csv_, "%s,%.9g,%.9g,%.6g,%.9g,%.6g\n", tag, work, span, work / span, burdened,
               work / burdened);
  if (std::fflush(csv_) != 0 && csv_ != stdout) {
    std::fprintf(stderr, "nopal: cannot write '%s': %s; name another file in CILKSCALE_OUT\n",
                 options.csv_path.c_str(), std::strerror(errno));
    csv_ = stdout;  // for the rows to come
  }
}

void Tool::report() {
  Tool &tool = get();
  if (getpid() != tool.process_) return;  // a forked child's
  Meter &main = tool.main_meter_;
  if (pthread_equal(pthread_self(), tool.main_thread_) != 0) main.stop();
  tool.clock.measure_rate();
  if (tool.csv_ != nullptr || !tool.options.csv_path.empty()) tool.dump(main.total(), "");
  write_report(tool);
}

}  // namespace nopal::span

/// Before the program's own constructors: they may spawn.
[[gnu::constructor(101)]] static void start_measuring() { nopal::span::Tool::start(); }
