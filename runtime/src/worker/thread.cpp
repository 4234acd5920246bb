// See thread.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread.h"

#include "../platform/futex.h"
#include "../platform/sanitizers.h"

#include <sched.h>

constinit __thread nopal_worker *nopal_tls_worker = &nopal::outsider;

namespace nopal {

[[clang::no_destroy]] constinit nopal_worker outsider{
    ContinuationDeque(ContinuationDeque::Outsider{})};

namespace {

constinit thread_local Thread record;

/// How often a waiter looks at its word before it sleeps. The grant often comes within
/// microseconds; with few cores the giver may need ours.
constexpr int kSpins = 64;
constexpr int kSpinsBeforeYield = 32;

}  // namespace

[[gnu::noinline]] Thread &this_thread() noexcept {
  Thread *found = &record;
  asm volatile("" : "+r"(found) : : "memory");  // two calls may return different records
  return *found;
}

void hold(Thread &self, Worker &worker) noexcept {
  worker.counters.cpu_begins(self.kind == Thread::Kind::kHelper);
  self.worker = &worker;
  nopal_tls_worker = &worker;
  nopal_tls_strand = &worker.views;
}

Worker &release_hold(Thread &self) noexcept {
  Worker &worker = *self.worker;
  worker.counters.cpu_ends(now_ns());
  worker.sleeper.wait_for_waker();
  self.worker = nullptr;
  nopal_tls_worker = &outsider;
  nopal_tls_strand = &hyper::no_strand;
  return worker;
}

std::uint32_t Thread::wait_for_grant() noexcept {
  std::uint32_t value = kNothing;
  for (int spin = 0; spin < kSpins; ++spin) {
    value = grant.load(std::memory_order_acquire);  // [G]
    if (value != kNothing) break;
    if (spin < kSpinsBeforeYield)
      HardwareAtoms::spin_pause();
    else
      sched_yield();
  }
  if (value == kNothing && grant.compare_exchange_strong(value, kAsleep, std::memory_order_acquire,
                                                         std::memory_order_acquire)) {  // [G]
    while ((value = grant.load(std::memory_order_acquire)) == kAsleep)
      futex_wait(grant, kAsleep);  // [G]
  }
  sanitizers::acquire(&grant);
  grant.store(kNothing, std::memory_order_relaxed);  // the next giver learns of this thread later,
                                                     // through a mutex or a join
  return value;
}

void Thread::give(std::uint32_t value) noexcept {
  std::atomic<std::uint32_t> &word = grant;
  sanitizers::release(&word);
  const std::uint32_t before = word.exchange(value, std::memory_order_acq_rel);  // [G]
  // After this *this may be gone; the wake-up uses the address only.
  if (before == kAsleep) futex_wake_one(word);
}

}  // namespace nopal
