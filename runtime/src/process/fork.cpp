// See fork.h.
//
// Takes every mutex of the library but the sleepers', since the new process could find it held for
// ever by a thread that it does not have. Order: as start, attach and stop nest them (lifecycle,
// registry, sleep), then those under which no other is taken, then the stacks', which a new worker
// needs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fork.h"

#include "../config/config.h"
#include "../frame/pedigree.h"
#include "../frame/sites.h"
#include "../idle/sleep.h"
#include "../idle/turns.h"
#include "../platform/fatal.h"
#include "../worker/chaos.h"
#include "../worker/registry.h"
#include "../worker/segments.h"
#include "../worker/thread.h"
#include "../worker/worker.h"
#include "callbacks.h"
#include "runtime.h"

#include <cactus/segment.h>

#include <pthread.h>

#include <atomic>
#include <cstring>

namespace nopal {
namespace {

constinit std::atomic<bool> forked{false};  // relaxed: written where there is one thread

void before_fork() noexcept {
  // A worker that works is in no list, so no waker takes its sleeper's mutex again. The new
  // process does not use other threads' sleepers.
  if (Worker *worker = this_thread().worker; worker != nullptr) worker->sleeper.wait_for_waker();
  lifecycle().lock();
  if (is_prepared_locked()) {
    registry().lock();
    sleep().lock();
  }
  lock_config();  // which may be read before the first spawn
  if (!is_prepared_locked()) return;
  callbacks().lock();
  lock_site_ranges();
  pedigree::lock_list();
  chaos::lock_lists();
  cactus::lock_for_fork();
  segment_pool().lock();
}

void in_parent() noexcept {
  if (is_prepared_locked()) {
    segment_pool().unlock();
    cactus::unlock_after_fork();
    chaos::unlock_lists();
    pedigree::unlock_list();
    unlock_site_ranges();
    callbacks().unlock();
    sleep().unlock();
    registry().unlock();
  }
  unlock_config();
  lifecycle().unlock();
}

void in_child() noexcept {
  if (is_started()) {
    forked.store(true, std::memory_order_relaxed);
    chaos::turn_off();
    turns::forget();
    sleep().forget_sleepers_locked();
    registry().forget_helpers_locked(this_thread().worker);
    if (Worker *worker = this_thread().worker; worker != nullptr)
      worker->deque.local().lose_thieves();
    if (this_thread().kind == Thread::Kind::kHelper) registry().unblock_signals_locked();
  }
  in_parent();
}

/// When the library is loaded: at a fork during the first spawn it would be too late.
[[gnu::constructor]] void watch_forks() noexcept {
  if (const int refused = pthread_atfork(before_fork, in_parent, in_child); refused != 0)
    warn("cannot note forks: %s; a forked process must not spawn", std::strerror(refused));
}

}  // namespace

bool is_forked() noexcept { return forked.load(std::memory_order_relaxed); }

void refuse_if_forked() noexcept {
  if (is_forked())
    fatal(
        "a process that was forked within a function that has spawned goes on there, without the "
        "threads that ran the rest of it; call exec "
        "or _exit, or fork elsewhere");
}

}  // namespace nopal
