// See runtime.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime.h"

#include "../config/config.h"
#include "../deque/fence.h"
#include "../idle/feedback.h"
#include "../idle/sleep.h"
#include "../idle/turns.h"
#include "../platform/fatal.h"
#include "../platform/floating_point.h"
#include "../policy/many_workers.h"
#include "../worker/registry.h"
#include "../worker/segments.h"
#include "attach.h"
#include "fork.h"
#include "live.h"
#include "sampler.h"
#include "stats_source.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace nopal {
namespace {

// Helpers may still look at it while the process exits.
[[clang::no_destroy]] constinit std::mutex the_lifecycle;

// P - 1 and the most threads that were attached at once. Written under lifecycle(); relaxed: a
// number.
constinit std::atomic<unsigned> promised_workers{0};
bool is_prepared = false;                    // guarded by lifecycle()
constinit std::atomic<bool> started{false};  // written under lifecycle(); relaxed elsewhere: a hint

/// Starts a helper. `is_counted`: Sleep counts it as searching. Any thread. Returns false if the
/// system refuses.
bool start_helper(bool is_counted) noexcept {
  Worker *worker = registry().take_worker(stats::WorkerKind::kHelper);
  if (worker == nullptr) {
    static std::atomic<bool> was_said{false};  // relaxed: nothing else is published
    if (!was_said.exchange(true, std::memory_order_relaxed))
      warn(
          "cannot make another worker: %s; going on with fewer; raise the limit on memory or lower "
          "CILK_NWORKERS",
          registry().count() == kRegistryCapacity ? "there are as many as there may be"
                                                  : std::strerror(ENOMEM));
    return false;
  }
  worker->is_searching = is_counted;
  return registry().hand_to_helper(*worker);
}
bool start_counted_helper() noexcept { return start_helper(true); }

}  // namespace

std::mutex &lifecycle() noexcept { return the_lifecycle; }
bool is_prepared_locked() noexcept { return is_prepared; }

void prepare_locked() {
  if (is_prepared) return;
  const DefaultFloatingPoint floating_point;
  choose_fence_mode();
  stats::install(stats_source());
  publish_live_page();
  start_sampler();
  is_prepared = true;
}

void start_helpers_locked() {
  if (is_started()) return;
  const DefaultFloatingPoint floating_point;  // also that of the threads which it starts
  freeze_config();  // each time: between stop and start the number of workers may change
  const unsigned helpers = config().nworkers - 1;
  if (Feedback *const rule = feedback()) rule->begin(most_desired());
  turns::start();
  const unsigned at_once = std::min(helpers, std::max(config().processors, 2u) - 1);
  // First: at a restart a helper may find work at once.
  sleep().keep_in_reserve(helpers - at_once, start_counted_helper);
  for (unsigned helper = 0; helper < at_once; ++helper) {
    const bool is_counted = helper == 0 || !policy::searches_uncounted(config().nworkers);
    if (is_counted) sleep().start_search();
    if (!start_helper(is_counted) && is_counted) sleep().was_not_started();
  }
  started.store(true, std::memory_order_relaxed);
}

void promise_workers_locked(std::size_t attached) noexcept {
  const unsigned needed = config().nworkers - 1 + static_cast<unsigned>(attached);
  if (needed > promised_workers.load(std::memory_order_relaxed))
    promised_workers.store(needed, std::memory_order_relaxed);
}

void start() {
  if (this_thread().kind == Thread::Kind::kHelper) return;  // it runs, or another thread stops it
  const std::lock_guard lock(lifecycle());
  prepare_locked();
  start_helpers_locked();
}

bool stop() {
  const Thread &self = this_thread();
  if (self.kind == Thread::Kind::kHelper || self.helping != 0)
    return false;  // a helper might wait for us, or another thread, which stops, for this helper
  const std::lock_guard lock(lifecycle());
  const bool is_attached = self.kind == Thread::Kind::kAttached;
  if (attached_threads() > (is_attached ? 1u : 0u)) return false;
  if (is_forked()) return true;
  if (!is_started() && registry().helpers() == 0)
    return true;  // under chaos a thread that stops within a child creates one when it waits
  turns::stop();
  sleep().close();
  registry().join_helpers();
  sleep().open();
  if (is_attached) {
    self.worker->segments.flush();
    self.worker->restart_at_next_push();
  }
  segment_pool().clear();
  started.store(false, std::memory_order_relaxed);
  return true;
}

bool is_started() noexcept { return started.load(std::memory_order_relaxed); }
bool is_on_worker() noexcept { return this_thread().worker != nullptr; }
int worker_number() noexcept {
  const Worker *worker = this_thread().worker;
  return worker == nullptr ? -1 : static_cast<int>(worker->index);
}
unsigned worker_count() noexcept { return config().nworkers; }
unsigned workers_made() noexcept { return registry().count(); }
unsigned most_workers() noexcept {
  return std::max(
      {promised_workers.load(std::memory_order_relaxed), registry().count(), worker_count()});
}
std::size_t helper_thread_count() noexcept { return registry().helpers(); }

}  // namespace nopal
