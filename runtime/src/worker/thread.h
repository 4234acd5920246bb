// What the runtime knows of a thread of the system: a helper or an attached one.
//
// One in each thread's thread-local memory. Which thread holds which worker: README.md. Checked by
// tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_THREAD_H
#define NOPAL_WORKER_THREAD_H

#include "grant.h"
#include "worker.h"

#include <cstdint>

namespace nopal {

struct Stack;
struct SuspendedStack;
struct Thread;

/// What the code at the arrival of a switch must do; said by the code that left (stack/switch.h).
struct Departure {
  SuspendedStack *left = nullptr;       // the stack that was left and will be resumed
  cactus::Segment *finished = nullptr;  // or the segment that was left for good
  nopal_frame *frame = nullptr;         // suspend: the frame whose child has just left its stack
  Thread *hand_off_target = nullptr;    // give up the worker: to this thread
};

struct Thread {
  enum class Kind : std::uint8_t { kOutside, kAttached, kHelper };

  Kind kind = Kind::kOutside;
  Worker *worker = nullptr;  // that this thread holds, or null
  Stack *stack = nullptr;    // helper: the current one; attached: null, or where it runs in place
  SuspendedStack *native = nullptr;  // helper on a segment: its native stack
  Departure departure;               // handed from one stack of this thread to the next
  std::uint32_t helping = 0;  // attached: stolen continuations on its stack (scheduler/suspend.h)
  volatile bool is_in_push =
      false;  // in an attach or a slow push, where a signal handler must not spawn
  cactus::AdoptedStack *root =
      nullptr;  // attached: its own stack, from its first wait; if measured, at once

  Grant<HardwareAtoms> grant;    // of kEnd, or kFirst + index of the granted worker
  Thread *next_spare = nullptr;  // guarded by WorkerRegistry's mutex

  static constexpr std::uint32_t kEnd = Grant<HardwareAtoms>::kFirst;  // a spare helper is to end
  static constexpr std::uint32_t kFirst = kEnd + 1;

  /// Waits for a grant: a value >= kEnd. Caller: the thread itself. Cost: spins some microseconds,
  /// then sleeps.
  std::uint32_t wait_for_grant() noexcept;
  /// Grants `value` >= kEnd. After this *this may be gone, with its thread.
  void give(std::uint32_t value) noexcept;
};

/// The calling thread's record. Ask again after a call that may switch stacks: the thread may be
/// another one.
Thread &this_thread() noexcept;

/// The calling thread takes the worker, or gives it up (and then must not use it).
void hold(Thread &self, Worker &worker) noexcept;
Worker &release_hold(Thread &self) noexcept;

/// The calling thread's worker. Ask again after a call that may switch stacks.
inline Worker &this_worker() noexcept { return *static_cast<Worker *>(current_worker()); }

}  // namespace nopal

#endif
