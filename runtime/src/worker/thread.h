// What the runtime knows of an operating system's thread: a helper or an attached one.
//
// One in each thread's thread-local memory. Who holds which worker: README.md. Checked by
// tests/stress.
//
// Edge table
//   [G] grant: giver's exchange (acq_rel) -> receiver's load (acquire): the receiver sees all that
//   the worker's last owner did.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_THREAD_H
#define NOPAL_WORKER_THREAD_H

#include "worker.h"

#include <atomic>
#include <cstdint>

namespace nopal {

struct Stack;
struct SuspendedStack;
struct Thread;

/// What the code that a switch of stacks arrives at must do; said by the code that left
/// (stack/switch.h).
struct Departure {
  SuspendedStack *left = nullptr;       // the stack that was left and will be resumed
  cactus::Segment *finished = nullptr;  // or the segment to which nobody comes back
  nopal_frame *frame = nullptr;         // suspend: the frame whose child has just left its stack
  Thread *hand_off_target = nullptr;    // give up a worker: who gets it
};

struct Thread {
  enum class Kind : std::uint8_t { kOutside, kAttached, kHelper };

  Kind kind = Kind::kOutside;
  Worker *worker = nullptr;  // the worker that this thread holds, or null
  Stack *stack = nullptr;    // helper: what it stands on now; attached: null, or where it runs a
                             // continuation in place
  SuspendedStack *native = nullptr;  // helper on a segment: its native stack
  Departure departure;               // handed from one stack of this thread to the next
  std::uint32_t helping =
      0;  // attached: continuations on its stack that it has stolen (scheduler/suspend.h)
  volatile bool is_in_push =
      false;  // in the midst of an attach or a slow push, where a signal handler must not spawn
  cactus::AdoptedStack *root =
      nullptr;  // attached: its own stack, from its first wait on; while measuring, from the start

  // kNothing, kAsleep, kEnd, or kFirst + index of the granted worker. Giver and receiver.
  std::atomic<std::uint32_t> grant{0};
  Thread *next_spare = nullptr;  // guarded by WorkerRegistry's mutex

  static constexpr std::uint32_t kNothing = 0;
  static constexpr std::uint32_t kAsleep = 1;  // nothing yet, and the receiver sleeps on the word
  static constexpr std::uint32_t kEnd = 2;     // a spare helper is to end
  static constexpr std::uint32_t kFirst = 3;

  /// Waits until somebody gives: a value >= kEnd. The thread itself. Cost: spins some microseconds,
  /// then sleeps.
  std::uint32_t wait_for_grant() noexcept;
  /// Gives; `value` >= kEnd. After this *this may be gone, with its thread.
  void give(std::uint32_t value) noexcept;
};

/// The calling thread's record. Ask again after anything that may switch stacks: the thread may be
/// another one.
Thread &this_thread() noexcept;

/// The calling thread takes the worker, or gives it up (and must do nothing more with it).
void hold(Thread &self, Worker &worker) noexcept;
Worker &release_hold(Thread &self) noexcept;

/// The calling thread's worker. Ask again after anything that may switch stacks.
inline Worker &this_worker() noexcept { return *static_cast<Worker *>(current_worker()); }

}  // namespace nopal

#endif
