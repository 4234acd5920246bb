// When the statistics are printed, and where to. Specified in source.h (install) and
// docs/statistics.md.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [source] install's store-release of current_source -> a load-acquire that does not find null:
//       started_ns and the source are whole.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "print.h"

#include "../config/config.h"
#include "../platform/c_locale.h"
#include "../platform/fatal.h"
#include "../platform/floating_point.h"
#include "../platform/sanitizers.h"
#include "../platform/thread_wait.h"
#include "../platform/whole_file.h"

#include <cactus/measure.h>

#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>

namespace nopal::stats {

namespace {

using Kind = Config::Stats::Kind;

std::atomic<const Source *> current_source{nullptr};
std::uint64_t started_ns = 0;  // written before current_source
std::uint64_t waited_before_ns =
    0;                   // if it is measured: for a processor, by the thread that starts
pid_t installed_in = 0;  // a child of fork inherits the atexit handler, but not the workers

/// Absolute, since the program may change its directory. Never destroyed.
const std::string *json_path = nullptr;

void print_on_stderr(const Snapshot &snapshot, Detail detail, const Source &source) {
  std::fputs(print_table(snapshot, detail).c_str(), stderr);
  if (const char *topology = source.topology()) std::fprintf(stderr, "  topology: %s\n", topology);
}

void report() {
  if (getpid() != installed_in) return;
  const FileSizeSignalBlocked blocked;
  const CLocale locale;
  const DefaultFloatingPoint floating_point;
  try {
    const Source *source = current_source.load(std::memory_order_acquire);  // [source]
    const Snapshot snapshot = take_snapshot(source, started_ns, waited_before_ns);
    const Kind kind = config().stats.kind;
    if (kind != Kind::kJson) {
      print_on_stderr(snapshot, kind == Kind::kFullTable ? Detail::kFull : Detail::kTimes, *source);
    } else if (const int error = write_whole_file(*json_path, print_json(snapshot))) {
      warn("CILK_STATS: cannot write %s: %s; here they are", json_path->c_str(),
           std::strerror(error));
      print_on_stderr(snapshot, Detail::kFull, *source);
    }
  } catch (const std::exception &exception) {
    warn("CILK_STATS: %s; the statistics are lost", exception.what());
  }
}

void install_once(const Source &source) {
  started_ns = now_ns();
  if (config().stats.kind != Kind::kNone) waited_before_ns = thread_wait_ns(gettid());
  current_source.store(&source, std::memory_order_release);  // [source]
  const Config::Stats &stats = config().stats;
  sanitizers::acquire(
      &config());  // another thread may have read it; functions that a sanitizer sees copy its path
  if (config().stack_peak == Config::StackPeak::kExact)
    cactus::set_measuring(cactus::Measuring::kExact);
  else if (stats.kind != Kind::kNone)
    cactus::set_measuring(cactus::Measuring::kSampled);
  if (stats.kind == Kind::kNone) return;
  measure_cpu();
  if (stats.kind == Kind::kJson) {
    json_path = new std::string(absolute_path(stats.path));
    // A file that cannot be written is refused before the work, not after it.
    if (const int error = make_empty_file(*json_path)) {
      refuse("CILK_STATS: cannot write %s: %s; name a file in a directory that can be written",
             json_path->c_str(), std::strerror(error));
    }
  }
  installed_in = getpid();
  if (std::atexit(report) != 0)
    warn("CILK_STATS: no atexit handler is left; no statistics will be printed");
}

}  // namespace

void install(const Source &source) {
  static std::once_flag once;
  std::call_once(once, install_once, source);
}

}  // namespace nopal::stats

extern "C" __attribute__((visibility("default"))) void nopal_read_statistics(
    void *into, const cilk::detail::statistics_receiver *receiver) {
  using namespace nopal::stats;
  const Source *source = current_source.load(std::memory_order_acquire);  // [source]
  const Snapshot snapshot =
      take_snapshot(source, source != nullptr ? started_ns : 0, waited_before_ns);
  receiver->overall(into, snapshot.nworkers, snapshot.elapsed_ns, snapshot.total, snapshot.stacks,
                    snapshot.segments);
  for (const cilk::worker_row &row : snapshot.workers)
    receiver->worker(into, row.index, row.is_attached, row.counts, row.stacks);
  for (const cilk::site_row &row : snapshot.sites) {
    receiver->site(into, row.function.c_str(), row.file.c_str(), row.line, row.column, row.index,
                   row.steals);
  }
}
