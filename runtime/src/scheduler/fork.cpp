// See fork.h. Locks are taken in the order in which start, attach and stop nest them: lifecycle, roster, sleep.
#include "fork.h"

#include "../chaos/chaos.h"
#include "../fatal.h"
#include "../worker/roster.h"
#include "../worker/thread.h"
#include "../worker/worker.h"
#include "runtime.h"

#include <pthread.h>

#include <atomic>
#include <cstring>

namespace nopal {
namespace {

constinit std::atomic<bool> forked{false}; // relaxed: written where there is one thread

void before_fork() noexcept {
  lifecycle().lock();
  roster().lock();
  sleep().lock();
}

void in_parent() noexcept {
  sleep().unlock();
  roster().unlock();
  lifecycle().unlock();
}

void in_child() noexcept {
  if (is_started()) {
    forked.store(true, std::memory_order_relaxed);
    chaos::turn_off();
    sleep().forget_sleepers_locked();
    roster().forget_helpers_locked();
    if (Worker *worker = this_thread().worker; worker != nullptr) worker->deque.local().lose_thieves();
  }
  in_parent();
}

} // namespace

void watch_forks_locked() noexcept {
  if (const int refused = pthread_atfork(before_fork, in_parent, in_child); refused != 0)
    warn("cannot note forks: %s; a forked process must not spawn", std::strerror(refused));
}

bool is_forked() noexcept { return forked.load(std::memory_order_relaxed); }

void refuse_if_forked() noexcept {
  if (is_forked())
    fatal("a process that was forked within a function that has spawned goes on there, without the threads that ran the rest of it; call exec "
          "or _exit, or fork elsewhere");
}

} // namespace nopal
