// The native stack of a helper thread: waits for a slot, runs it on a segment (without one, here), hands it on, waits for the next. Created by
// Roster.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../stack/overflow.h"
#include "../platform/floating_point.h"
#include "../worker/registry.h"
#include "../worker/segments.h"
#include "../process/runtime.h"
#include "worker_loop.h"

#include <cactus/valgrind.h>

#include <pthread.h>

#include <utility>

namespace nopal {
namespace {

/// The slot's first stack. Returns what is to be done with the slot when the thread is back here for good.
Departure begin(Worker &worker, SuspendedStack &native) noexcept {
  if (nopal_frame *frame = std::exchange(worker.resumes, nullptr)) return resume_from_native(native, frame);
  cactus::Segment *segment = acquire_segment(worker.segments);
  if (segment != nullptr) return leave_for_fresh(native, *segment, worker_loop, {});
  Stack &here = *this_thread().stack;
  if (here.low == nullptr) here = native_stack(true);
  worker.place.set({.low = static_cast<const char *>(here.low)});
  return worker_loop_without_segment(native);
}

/// Holds `worker` until its loop gives it up; then passes it on to whom the loop named.
void run_slot(Thread &self, Worker &worker) noexcept {
  hold(self, worker);
  worker.floating_point.store(floating_point_control(), std::memory_order_relaxed);  // as take_over compares
  worker.place.set({});
  SuspendedStack native;
  self.native = &native;
  const Departure departure = begin(worker, native);
  Worker &held = release_hold(self);  // another one, if the thread has waited in place; the segment was released at the arrival
  if (departure.heir != nullptr)
    departure.heir->give(Thread::kFirst + held.index);
  else
    roster().put_slot(held);
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
  if (worker == nullptr) worker = roster().wait_for_slot(self);
  for (; worker != nullptr; worker = roster().wait_for_slot(self)) run_slot(self, *worker);
  cactus::forget_stack(noted);
  forget_thread();
  return nullptr;
}

}  // namespace nopal
