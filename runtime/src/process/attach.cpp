// See attach.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "attach.h"

#include "../frame/join.h"
#include "../idle/sleep.h"
#include "../platform/fatal.h"
#include "../platform/floating_point.h"
#include "../platform/sanitizers.h"
#include "../stack/overflow.h"
#include "../stack/switch.h"
#include "../worker/activity.h"
#include "../worker/chaos.h"
#include "../worker/registry.h"
#include "../worker/segments.h"
#include "callbacks.h"
#include "runtime.h"
#include "sampler.h"

#include <cactus/measure.h>

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

namespace nopal {
namespace {

// Changed, and compared by stop(), under lifecycle(); relaxed elsewhere: for tests.
std::atomic<std::size_t> attached_count{0};
bool has_attached = false;  // under lifecycle()
// The process's first thread has ended, and not the process: main called pthread_exit. Relaxed: set
// once; the last thread sees it by lifecycle().
constinit std::atomic<bool> main_has_ended{false};

void give_up_worker(Thread &self) noexcept {
  const std::lock_guard lock(lifecycle());
  if (gettid() == getpid()) main_has_ended.store(true, std::memory_order_relaxed);
  Worker &worker = release_hold(self);
  worker.run_path_of(policy::Mark());
  worker.views.leave();
  self.kind = Thread::Kind::kOutside;
  delete self.root;
  self.root = nullptr;
  forget_thread();
  sleep().detached();  // first: while a thread counts as attached and does not wait, its worker
                       // counts as held (find_work.cpp)
  registry().put_worker(worker);
  attached_count.fetch_sub(1, std::memory_order_relaxed);
}

/// Runs in a thread that exits, after its thread_local destructors.
void detach(void *thread) {
  Thread &self = *static_cast<Thread *>(thread);
  if (self.worker == nullptr || self.helping != 0 || !self.worker->deque.local().is_empty())
    fatal("a thread exits within a function that has spawned; sync first");
  give_up_worker(self);
  // The process ends with its last thread, so the helpers must not outlive the program's.
  if (main_has_ended.load(std::memory_order_relaxed) && stop()) stop_sampler();
}

pthread_key_t exit_key() noexcept {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    if (const int refused = pthread_key_create(&made, detach); refused != 0)
      fatal("cannot create a key for the exit of threads: %s; use fewer thread-specific keys",
            std::strerror(refused));
    return made;
  }();
  return key;
}

/// For the meter: from the first spawn on, without what was touched before (by the loader, on a
/// process's first stack).
void adopt_clean_root(Thread &self) noexcept {
  adopt_root(self);
  if (self.root == nullptr) return;
  self.root->suspend(__builtin_frame_address(0), cactus::page_bytes());
  self.root->run(&self.worker->stacks);
}

}  // namespace

void adopt_root(Thread &self) noexcept {
  self.root = new (std::nothrow) cactus::AdoptedStack(&self.worker->stacks);
}

void take(Thread &self, Worker &worker) noexcept {
  hold(self, worker);
  worker.deferred_trim.perform();  // our path goes on
  worker.floating_point.store(floating_point_control(),
                              std::memory_order_relaxed);  // thieves read it: see Worker
}

void attach(Thread &self) noexcept {
  self.is_in_push = true;
  cactus::OwnStack own;
  bool is_first = false;
  {
    // Of all that is made once: a fork, which takes the lock, must not find it half made.
    const std::lock_guard lock(lifecycle());
    install_overflow_handler(worker_number);  // before there are helpers: they would be installing
                                              // it, and we waiting for them
    own = watch_own_stack();
    if (const int refused = pthread_setspecific(exit_key(), &self); refused != 0)
      fatal("cannot note the exit of a thread: %s", std::strerror(refused));
    prepare_locked();
    attached_count.fetch_add(1, std::memory_order_relaxed);
    is_first = !std::exchange(has_attached, true);
    Worker *worker = registry().take_worker(stats::WorkerKind::kAttached);
    if (worker == nullptr && registry().count() == kRegistryCapacity)
      fatal("more than %u threads have spawned and not ended, helpers included; use fewer threads",
            kRegistryCapacity);
    if (worker == nullptr)
      fatal("cannot allocate a worker: %s; raise the limit on memory or use fewer threads",
            std::strerror(ENOMEM));
    worker->run_path_of(worker->root_mark());
    worker->views.enter(hyper::Views::leftmost());
    take(self, *worker);  // before the helpers: the first thread to attach is worker 0
    start_helpers_locked();
    promise_workers_locked(attached_count.load(std::memory_order_relaxed));
  }
  self.worker->path.set(
      own.low != nullptr ? Path{.low = own.low, .begin = own.low + own.size_bytes, .depth = {0, 0}}
                         : Path{});
  self.kind = Thread::Kind::kAttached;
  activity::attaches(*self.worker, is_first);
  if (cactus::is_measuring()) adopt_clean_root(self);
  sleep().attached();
  self.is_in_push = false;
  callbacks().run_init();  // they may spawn: afterwards we may hold another worker
}

std::size_t attached_threads() noexcept { return attached_count.load(std::memory_order_relaxed); }

}  // namespace nopal
