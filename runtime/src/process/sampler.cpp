// See sampler.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampler.h"

#include "../config/config.h"
#include "../platform/clock.h"
#include "../platform/fatal.h"
#include "../stats/busy.h"
#include "../stats/hunger.h"
#include "../trace/tracer.h"
#include "../worker/registry.h"

#include <cactus/segment.h>

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

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

/// How another thread asks the sampler to end. Never destroyed: both threads may still look at it
/// while the process exits.
struct Ending {
  std::mutex mutex;
  std::condition_variable changed;
  const pid_t process = getpid();
  pthread_t thread{};
  bool is_running = false;
  bool is_wanted = false;
  bool is_reached = false;
};
Ending &ending() noexcept {
  static Ending *const the_ending = new Ending;
  return *the_ending;
}

void want_samples() noexcept {
  if (stats::busy().working() == 0) return;
  for (std::uint32_t index = 0; index < registry().count(); ++index) {
    Worker &worker = registry().worker(index);
    worker.wants_sample.store(true, std::memory_order_relaxed);  // a hint
    worker.deque.make_next_push_slow();
  }
}

/// How many work, and whether others find nothing.
void look_at_hunger() noexcept {
  stats::Hunger::Look found{.now_ns = now_ns()};
  bool is_ready = false;  // some strand, which nobody runs yet
  for (std::uint32_t index = 0; index < registry().count(); ++index) {
    const Worker &worker = registry().worker(index);
    const stats::Activity activity = worker.counters.activity();
    const stats::Strand &strand = worker.counters.strand;
    if (activity == stats::Activity::kWorking) ++found.working;
    found.work_ns += strand.work_ns();
    is_ready = is_ready || strand.taken() != stats::kUnknownLength ||
               (activity == stats::Activity::kWorking && !strand.is_running()) ||
               registry().worker(index).deque.steal().is_stealable();
  }
  found.is_hungry = found.working < config().nworkers && !is_ready;
  stats::hunger().look(found);
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

void *sample(void *) noexcept {
  Ending &end = ending();
  const bool has_report = config().stats.kind != Config::Stats::Kind::kNone;
  Pace pace;
  std::unique_lock lock(end.mutex);
  while (!end.changed.wait_for(lock, pace.period(), [&end] { return end.is_wanted; })) {
    lock.unlock();
    want_samples();
    if (has_report) look_at_hunger();
    if (trace::is_on()) trace_now(false);
    pace.look_ends();
    lock.lock();
  }
  if (trace::is_on()) trace_now(true);
  end.is_reached = true;
  end.changed.notify_all();
  return nullptr;
}

}  // namespace

void start_sampler() noexcept {
  trace::begin();
  if (config().stats.kind == Config::Stats::Kind::kNone && !trace::is_on()) return;
  Ending &end = ending();
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the thread inherits it
  const int refused = pthread_create(&end.thread, nullptr, sample, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (refused != 0) {
    warn(
        "cannot create a thread that samples spawns: %s; the statistics say nothing of grain, and "
        "there is no trace",
        std::strerror(refused));
    return;
  }
  pthread_setname_np(end.thread, "nopal sampler");
  {
    const std::lock_guard lock(end.mutex);
    end.is_running = true;
  }
  if (trace::is_on() && std::atexit(stop_sampler) != 0)
    warn("CILK_TRACE: no atexit handler is left; the last 8 ms are not in the trace");
}

void stop_sampler() noexcept {
  Ending &end = ending();
  if (getpid() != end.process) return;
  {
    std::unique_lock lock(end.mutex);
    end.is_wanted = true;
    end.changed.notify_all();
    if (!end.is_running) return;
    end.changed.wait(lock, [&end] { return end.is_reached; });
    if (!std::exchange(end.is_running, false)) return;
  }
  pthread_join(end.thread, nullptr);
}

}  // namespace nopal
