// What exists once in a process that measures: clock, options, sites, a meter for each thread, and
// named regions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_TOOL_H
#define NOPAL_SPAN_TOOL_H

#include "clock.h"
#include "interruptions.h"
#include "meter.h"
#include "options.h"
#include "sites.h"

#include <pthread.h>
#include <unistd.h>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace nopal::span {

/// A named region, all its executions added.
struct Region {
  std::uint64_t count = 0;
  WorkSpan sum{0, 0, 0};
};

/// What was measured before the first figure.
struct Calibration {
  double read_ns = 0;    // a read of the clock
  double burden_ns = 0;  // a steal
  bool is_burden_measured = false;
};

class Tool {
 public:
  /// Made before main, never destroyed: destructors of the program may spawn.
  static Tool &get() { return *tool_; }
  static void start();

  /// The meter of the calling thread.
  static Meter &meter() {
    return __builtin_expect(own_meter_ != nullptr, true) ? *own_meter_ : get().first_use();
  }

  /// The same after its first hook.
  static Meter &entered_meter() { return *own_meter_; }
  /// The number of a record's site; the calling thread's meter knows it.
  static SiteIndex index_of(nopal_hook_site &record, Meter &meter) {
    const SiteIndex index = SiteTable::index_of(record);
    return __builtin_expect(meter.knows(index), true) ? index : get().first_use(record, meter);
  }

  Clock clock;
  const Options options;
  SiteTable sites;

  /// What the system has taken from the first thread, and no strand has.
  Ticks lost() const { return clock.to_ticks(lost_ns_); }
  const Calibration &calibration() const { return calibration_; }
  const Meter::Costs &costs() const { return costs_; }
  double seconds(Ticks ticks) const;

  void begin_region(const char *name);
  void end_region();
  std::map<std::string, Region> regions() const;

  /// A spawn of code that was compiled without hooks. Any thread.
  void note_unseen(const char *file, std::uint32_t line, std::uint32_t column);
  /// The place of the first; empty if there was none.
  std::string unseen() const;

  /// A row of Cilkscale's table.
  void dump(const WorkSpan &figures, const char *tag);

  /// The meter of the program's first thread.
  Meter &main_meter() { return main_meter_; }
  /// Those of all threads that have called a hook; the first thread's is the first.
  std::vector<const Meter *> meters() const;

 private:
  explicit Tool(const Options &chosen);
  [[clang::preserve_most, gnu::noinline]] Meter &first_use();
  [[clang::preserve_most, gnu::noinline]] SiteIndex first_use(nopal_hook_site &record,
                                                              Meter &meter);
  void calibrate();
  void measure_hooks();
  Meter::Losses *watch_losses();
  static void report();

  Meter main_meter_;
  const pthread_t main_thread_ = pthread_self();
  const pid_t process_ = getpid();
  Calibration calibration_;
  Meter::Costs costs_{0, 0, 0, 0};
  double lost_ns_ = 0;
  std::once_flag calibrated_;
  mutable std::mutex mutex_;  // of all below
  std::vector<Meter *> others_;
  std::map<std::string, Region> regions_;
  FILE *csv_ = nullptr;
  std::string unseen_;

  static Tool *tool_;
  static constinit thread_local Meter *own_meter_;
};

}  // namespace nopal::span

#endif
