// The native stack of a helper thread: waits for a worker, runs it on a segment (without one,
// here), hands it on, waits for the next.
//
// Created by WorkerRegistry. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../platform/floating_point.h"
#include "../process/runtime.h"
#include "../stack/overflow.h"
#include "../worker/machine.h"
#include "../worker/registry.h"
#include "../worker/segments.h"
#include "worker_loop.h"

#include <cactus/valgrind.h>

#include <pthread.h>

#include <utility>

namespace nopal {
namespace {

/// The worker's first stack. Returns what is to be done with the worker when the thread is back
/// here for good.
Departure begin(Worker &worker, SuspendedStack &native) noexcept {
  if (nopal_frame *frame = std::exchange(worker.resumes, nullptr))
    return resume_from_native(native, frame);
  cactus::Segment *segment = acquire_segment(worker.segments);
  if (segment != nullptr) return leave_for_fresh(native, *segment, worker_loop, {});
  Stack &here = *this_thread().stack;
  if (here.low == nullptr) here = native_stack(true);
  worker.path.set({.low = static_cast<const char *>(here.low)});
  return worker_loop_without_segment(native);
}

/// Holds `worker` until its loop gives it up; then hands it on as the loop said.
void run_worker(Thread &self, Worker &worker) noexcept {
  hold(self, worker);
  bind_helper(worker.index);
  worker.floating_point.store(floating_point_control(),
                              std::memory_order_relaxed);  // as take_over compares
  worker.path.set({});
  SuspendedStack native;
  self.native = &native;
  const Departure departure = begin(worker, native);
  Worker &held = release_hold(self);  // another one, if the thread has waited in place; the segment
                                      // was released at the arrival
  if (departure.hand_off_target != nullptr)
    departure.hand_off_target->give(Thread::kFirst + held.index);
  else
    registry().put_worker(held);
}

}  // namespace

void *helper_main(void *first_worker) noexcept {
  Thread &self = this_thread();
  self.kind = Thread::Kind::kHelper;
  Stack native = native_stack(false);
  self.stack = &native;
  const unsigned noted = cactus::note_stack(native.low, native.size_bytes);
  pthread_setname_np(pthread_self(), "nopal helper");
  install_overflow_handler(worker_number);
  auto *worker = static_cast<Worker *>(first_worker);
  if (worker == nullptr) worker = registry().wait_for_worker(self);
  for (; worker != nullptr; worker = registry().wait_for_worker(self)) run_worker(self, *worker);
  cactus::forget_stack(noted);
  forget_thread();
  return nullptr;
}

}  // namespace nopal
