// See sampler.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampler.h"

#include "../config/config.h"
#include "../platform/background_thread.h"
#include "../platform/clock.h"
#include "../platform/fatal.h"
#include "../stats/busy.h"
#include "../stats/hunger.h"
#include "../stats/lone_spawns.h"
#include "../trace/tracer.h"
#include "../worker/registry.h"

#include <cactus/segment.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace nopal {
namespace {

// Between two looks. The rings of the trace must last as long.
constexpr std::chrono::nanoseconds kShortestPeriod{2'000'000};
constexpr std::chrono::nanoseconds kLongestPeriod{8'000'000};
// The period is so many times what a look takes of this thread's time, 5 to 40 us: mostly the
// switch to it and the write to the file. To the process it costs up to four times as much, since
// the thread may interrupt a worker.
constexpr std::uint64_t kPeriodPerCost = 500;
// The cost is a mean of about so many looks.
constexpr std::uint64_t kLooksOfMean = 16;

/// How long to wait, so that the looks take at most one part in kPeriodPerCost of a processor.
class Pace {
 public:
  std::chrono::nanoseconds period() const noexcept {
    return std::clamp(std::chrono::nanoseconds(cost_ns_ * kPeriodPerCost), kShortestPeriod,
                      kLongestPeriod);
  }
  /// A look has ended. Its cost begins with the end of the one before. This thread only.
  void look_ends() noexcept {
    const std::uint64_t now = thread_cpu_ns();
    cost_ns_ += ((now - before_ns_) / kLooksOfMean) - (cost_ns_ / kLooksOfMean);
    before_ns_ = now;
  }

 private:
  std::uint64_t before_ns_ = thread_cpu_ns();
  std::uint64_t cost_ns_ = 0;
};

BackgroundThread &thread() noexcept {
  static BackgroundThread *const the_thread = new BackgroundThread;
  return *the_thread;
}

/// The worker that was alone at the last look, and how long its strand's thread had run then.
struct Lone {
  const Worker *worker = nullptr;
  std::uint64_t ran_ns = 0;
};

/// Whether the worker that was alone spawned then; and which one is alone now.
void look_at_lone_worker(Lone &lone) noexcept {
  if (lone.worker != nullptr) {
    stats::lone_spawns().looks.add();
    if (stats::came_soon(lone.ran_ns, lone.worker->sample_began_ns.read()))
      stats::lone_spawns().spawning.add();
  }
  lone.worker = nullptr;
  if (stats::busy().working() != 1) return;
  for (std::uint32_t index = 0; index < registry().count(); ++index) {
    const Worker &worker = registry().worker(index);
    const stats::Strand::Begun strand = worker.counters.strand.begun();
    if (worker.counters.activity() == stats::Activity::kWorking && strand.thread != 0)
      lone = {&worker, strand.since_ns + strand.ran_ns()};
  }
}

void want_samples() noexcept {
  if (stats::busy().working() == 0) return;
  for (std::uint32_t index = 0; index < registry().count(); ++index) {
    Worker &worker = registry().worker(index);
    worker.wants_sample.store(true, std::memory_order_relaxed);  // a hint
    worker.deque.make_next_push_slow();
  }
}

/// What each worker runs, and whether others find nothing.
void look_at_hunger(stats::Hunger &hunger, stats::Hunger::Look &found) {
  found.now_ns = now_ns();
  found.workers.assign(registry().count(), {});
  unsigned working = 0;
  bool is_ready = false;  // some strand, which nobody runs yet
  for (std::uint32_t index = 0; index < found.workers.size(); ++index) {
    const Worker &worker = registry().worker(index);
    const stats::Activity activity = worker.counters.activity();
    const stats::Strand &strand = worker.counters.strand;
    stats::Hunger::Runs &runs = found.workers[index];
    if (activity == stats::Activity::kWorking) {
      ++working;
      runs.strand = strand.number();
    }
    runs.working_ns = worker.counters.time_ns(stats::Activity::kWorking, now_ns());
    runs.work_ns = strand.work_ns();
    is_ready = is_ready || strand.taken() != stats::kUnknownLength ||
               (activity == stats::Activity::kWorking && !strand.is_running()) ||
               registry().worker(index).deque.steal().is_stealable();
  }
  found.is_hungry = working < nworkers_now() && !is_ready;
  hunger.look(found);
}

void look_at_gauges() {
  const std::uint64_t now = now_ns();
  trace::sample(trace::Gauge::kBusyWorkers, 0, now, stats::busy().working());
  trace::sample(trace::Gauge::kSegments, 0, now, cactus::accounting().in_use);
  for (std::uint32_t index = 0; index < registry().count(); ++index)
    trace::sample(trace::Gauge::kDequeDepth, index, now,
                  static_cast<std::uint64_t>(registry().worker(index).deque.steal().depth()));
}

void trace_now(bool is_last) noexcept {
  try {
    look_at_gauges();
    if (is_last)
      trace::finish();
    else
      trace::drain();
  } catch (const std::bad_alloc &) {
    trace::lose("there is no memory");
  }
}

void sample(BackgroundThread &self) noexcept {
  const bool has_report = config().stats.kind != Config::Stats::Kind::kNone;
  stats::Hunger hunger(stats::hunger());
  stats::Hunger::Look found;
  Lone lone;
  Pace pace;
  while (self.wait(pace.period())) {
    if (has_report) look_at_lone_worker(lone);
    want_samples();
    try {
      if (has_report) look_at_hunger(hunger, found);
    } catch (const std::bad_alloc &) {
      // The next look says what has happened since the last one.
    }
    if (trace::is_on()) trace_now(false);
    pace.look_ends();
  }
  if (trace::is_on()) trace_now(true);
}

}  // namespace

void start_sampler() noexcept {
  trace::begin();
  if (config().stats.kind == Config::Stats::Kind::kNone && !trace::is_on()) return;
  if (const int refused = thread().start("nopal sampler", sample); refused != 0) {
    warn(
        "cannot create a thread that samples spawns: %s; the statistics say nothing of grain, and "
        "there is no trace",
        std::strerror(refused));
    return;
  }
  if (trace::is_on() && std::atexit(stop_sampler) != 0)
    warn("CILK_TRACE: no atexit handler is left; the last 8 ms are not in the trace");
}

void stop_sampler() noexcept { thread().stop(); }

}  // namespace nopal
