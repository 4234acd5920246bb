// The part of a worker by which it is parked and woken: a word to sleep on, and where its thread
// may run.
//
// A member of each Worker; used by Sleep (idle/sleep.h), which has the edge table. States:
// idle/README.md. Checked by tests/unit/sleep_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_SLEEPER_H
#define NOPAL_WORKER_SLEEPER_H

#include "../platform/affinity_hint.h"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace nopal {

/// Never freed while the process lives.
struct Sleeper {
  std::atomic<std::uint32_t> signal{0};  // 1: woken. The waker writes, the sleeper resets
  Sleeper *next = nullptr;               // in the list of the parked; guarded by Sleep's mutex
  // now_ns() when it went to sleep, was last called or last paused; guarded by Sleep's mutex
  std::uint64_t since_ns = 0;

  // Where its thread may run. A waker takes this mutex after Sleep's, and may hold it longer; the
  // sleeper takes it alone.
  std::mutex processors;  // guards what follows
  pthread_t thread{};     // that sleeps; written by it before wakers can find it
  int waker = -1;         // the processor from which it was woken last
  bool is_woken = false;  // from that processor, since it last went to sleep
  AffinityHint affinity;  // excludes a processor from before the sleep until there is work
  std::atomic<bool> is_confined{
      false};  // the sleeper must restore it, and reads this without the mutex
  std::atomic<bool> is_being_restored{
      false};  // by its waker, which writes this; the sleeper waits before it works

  /// Returns when the waker no longer uses the thread. Called when a thread gives up its worker,
  /// before it may end. Cost: a mutex.
  void wait_for_waker() noexcept { const std::lock_guard lock(processors); }
};

}  // namespace nopal

#endif
