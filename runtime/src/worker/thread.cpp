// See thread.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread.h"

#include "../platform/sanitizers.h"

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
  const std::uint32_t value = grant.wait(kSpins, kSpinsBeforeYield);
  sanitizers::acquire(grant.address());
  grant.reset();
  return value;
}

void Thread::give(std::uint32_t value) noexcept {
  sanitizers::release(grant.address());
  grant.give(value);
}

}  // namespace nopal
