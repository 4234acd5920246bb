// See registry.h; the rules are in README.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry.h"

#include "../config/config.h"
#include "../deque/fence.h"
#include "../platform/affinity_hint.h"
#include "../platform/fatal.h"
#include "../platform/sanitizers.h"
#include "../policy/many_workers.h"
#include "../trace/tracer.h"
#include "activity.h"
#include "segments.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace nopal {
namespace {

#ifdef NDEBUG
constexpr bool kChecksEveryPush = false;
#else
constexpr bool kChecksEveryPush = true;  // the slow push looks whether the deque is whole
#endif

static_assert(kRegistryCapacity == trace::kMostWorkers);

[[clang::no_destroy]] constinit WorkerRegistry
    the_registry;  // threads may use it during and after static destruction

/// While it lives, blocks every signal that no faulting instruction raises. A thread created
/// meanwhile inherits that. (The mask as an attribute of the creation would be lost under the
/// address sanitizer, whose pthread_create gives the new thread its creator's.)
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
      sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  const sigset_t &before() const noexcept { return before_; }
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

 private:
  sigset_t before_;
};

}  // namespace

WorkerRegistry &registry() noexcept { return the_registry; }

Worker *WorkerRegistry::take_worker(stats::WorkerKind kind) noexcept {
  const std::lock_guard lock(mutex_);
  const std::uint32_t index =
      count_.load(std::memory_order_relaxed);  // written under the mutex only
  const std::uint32_t expected = std::max(config().nworkers, index + 1);  // workers
  if (Worker *worker = unheld_) {
    unheld_ = worker->next_unheld;
    unheld_count_.fetch_sub(1, std::memory_order_relaxed);  // [H]
    worker->deque.local().fence_longer(policy::fence_scale(expected));
    return worker;
  }
  if (index == kRegistryCapacity) return nullptr;
  const FenceMode fence = choose_fence_mode();
  void *deque_memory = ContinuationDeque::allocate_first(fence);
  if (deque_memory == nullptr) return nullptr;
  Worker *worker = new (std::nothrow) Worker(
      {index, kind, fence, config().chaos.seed, count_, deque_memory, trace::make_ring(index)},
      segment_pool());
  if (worker == nullptr) {
    HardwareAtoms::release(deque_memory);
    return nullptr;
  }
  if (config().chaos.enabled || sanitizers::must_say_edges() || kChecksEveryPush)
    worker->deque.local().make_every_push_slow();
  worker->deque.local().fence_longer(policy::fence_scale(expected));
  if (policy::begins_fenced(expected)) worker->deque.local().begin_fenced();
  table_[index].store(worker, std::memory_order_relaxed);  // [T], published by the count
  count_.store(index + 1, std::memory_order_release);      // [T]
  return worker;
}

void WorkerRegistry::put_worker(Worker &worker) noexcept {
  activity::change(worker, stats::Activity::kIdle, now_ns());
  worker.segments.flush();
  const std::lock_guard lock(mutex_);
  put_unheld_locked(worker);
}

void WorkerRegistry::put_unheld_locked(Worker &worker) noexcept {
  worker.next_unheld = unheld_;
  unheld_ = &worker;
  unheld_count_.fetch_add(1, std::memory_order_relaxed);  // [H]
}

bool WorkerRegistry::hand_to_helper(Worker &worker) noexcept {
  Thread *spare = nullptr;
  {
    const std::lock_guard lock(mutex_);
    spare = spares_;
    if (spare != nullptr) {
      spares_ = spare->next_spare;
    } else if (!create_helper_locked(&worker)) {
      if (worker.resumes != nullptr)
        ownerless_frames_.fetch_add(1, std::memory_order_relaxed);  // [O]
      worker.is_searching = false;  // under the mutex: whoever takes it from the list begins anew
      worker.next_unheld = waiting_;
      waiting_ = &worker;
      return false;
    }
  }
  if (spare != nullptr) spare->give(Thread::kFirst + worker.index);
  return true;
}

nopal_frame *WorkerRegistry::take_ownerless_frame() noexcept {
  if (ownerless_frames_.load(std::memory_order_relaxed) == 0) return nullptr;  // [O]
  const std::lock_guard lock(mutex_);
  for (Worker *worker = waiting_; worker != nullptr; worker = worker->next_unheld)
    if (nopal_frame *frame = std::exchange(worker->resumes, nullptr)) {
      ownerless_frames_.fetch_sub(1, std::memory_order_relaxed);  // [O]
      return frame;
    }
  return nullptr;
}

bool WorkerRegistry::ensure_helper() noexcept {
  const std::lock_guard lock(mutex_);
  return !helpers_.empty() || create_helper_locked(nullptr);
}

Worker *WorkerRegistry::wait_for_worker(Thread &spare) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (Worker *worker = waiting_) {
      waiting_ = worker->next_unheld;
      if (worker->resumes != nullptr)
        ownerless_frames_.fetch_sub(1, std::memory_order_relaxed);  // [O]
      return worker;
    }
    if (ending_) return nullptr;
    spare.next_spare = spares_;
    spares_ = &spare;
  }
  const std::uint32_t given = spare.wait_for_grant();
  return given == Thread::kEnd ? nullptr : &worker(given - Thread::kFirst);
}

/// Returns the helper threads that have not been joined yet.
std::vector<pthread_t> WorkerRegistry::tell_to_end() noexcept {
  std::vector<pthread_t> threads;
  Thread *spare = nullptr;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    std::swap(spare, spares_);
    threads.swap(helpers_);
  }
  while (spare != nullptr) {
    Thread *next = spare->next_spare;  // before the grant: then the spare may be gone
    spare->give(Thread::kEnd);
    spare = next;
  }
  return threads;
}

void WorkerRegistry::join_helpers() noexcept {
  for (std::vector<pthread_t> threads = tell_to_end(); !threads.empty();
       threads = tell_to_end())  // one that works may create another
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  const std::lock_guard lock(mutex_);
  ending_ = false;
  while (Worker *worker = waiting_) {  // no thread was to be had for these; the next start takes as
                                       // many as it needs
    waiting_ = worker->next_unheld;
    put_unheld_locked(*worker);
  }
}

void WorkerRegistry::forget_helpers_locked(const Worker *own) noexcept {
  for (std::uint32_t index = 0; index < count(); ++index)
    if (&worker(index) != own) worker(index).run_path_of(policy::Mark());
  helpers_.clear();
  spares_ = nullptr;
}

void WorkerRegistry::unblock_signals_locked() const noexcept {
  pthread_sigmask(SIG_SETMASK, &blocked_signals_, nullptr);
}

std::size_t WorkerRegistry::helpers() const noexcept {
  const std::lock_guard lock(mutex_);
  return helpers_.size();
}

bool WorkerRegistry::create_helper_locked(Worker *worker) noexcept {
  pthread_t thread;
  const SignalsBlocked blocked;
  int refused = ENOMEM;
  try {
    helpers_.reserve(helpers_.size() + 1);
    refused = pthread_create(&thread, nullptr, helper_main, worker);
  } catch (const std::bad_alloc &) {  // as if the system had refused
  }
  if (refused == 0) {
    if (!has_blocked_signals_) blocked_signals_ = blocked.before();
    has_blocked_signals_ = true;
    helpers_.push_back(thread);
    if (config().bind == Config::Bind::kNone &&
        helpers_.size() <
            config().processors) {  // it can have its own: the creator goes on working
      AffinityHint hint;
      const int here = sched_getcpu();
      hint.exclude(thread, here);
      hint.restore(thread, here);
    }
    return true;
  }
  if (!refusal_was_said_)
    warn(
        "cannot create worker thread %zu: %s; going on with fewer; raise the limit on threads or "
        "lower CILK_NWORKERS",
        helpers_.size() + 1, std::strerror(refused));
  refusal_was_said_ = true;
  return false;
}

}  // namespace nopal
