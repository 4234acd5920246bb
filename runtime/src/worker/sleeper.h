// What a worker needs to be parked and woken: a word to sleep on, and where its thread may run.
//
// A part of each Worker; used by Sleep (idle/sleep.h), whose README holds the states and whose edge
// table holds the tags. Checked by tests/unit/sleep_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_SLEEPER_H
#define NOPAL_WORKER_SLEEPER_H

#include "../platform/affinity_hint.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace nopal {

/// What a worker needs to be parked. Never freed while the process lives.
struct Sleeper {
  std::atomic<std::uint32_t> signal{0};  // 1: woken. Waker writes, sleeper resets
  Sleeper *next = nullptr;               // in the list of the parked; guarded by Sleep's mutex
  std::chrono::steady_clock::time_point
      since{};  // when it went to sleep, was last called or last rested; guarded by Sleep's mutex

  // Where it is woken. A waker takes this mutex after Sleep's, and may hold it longer; the sleeper
  // takes it alone.
  std::mutex processors;  // guards what follows
  pthread_t thread{};     // who sleeps; written by it before it can be found
  int waker = -1;         // the processor from which it was woken last
  bool is_woken = false;  // from there, since it last went to sleep
  AffinityHint affinity;  // a processor is left out from before the sleep until there is work
  std::atomic<bool> is_confined{false};  // the sleeper has to put it back, not its waker; the
                                         // sleeper reads it without the mutex
  std::atomic<bool> is_being_restored{
      false};  // by its waker, who writes this; the sleeper waits for the end before it works

  /// Returns when who woke the thread is done with it. A thread that lets go of its worker, before
  /// it may end. Cost: a mutex.
  void wait_for_waker() noexcept { const std::lock_guard lock(processors); }
};

}  // namespace nopal

#endif
