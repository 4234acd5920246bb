// Chaos: a worker steals from itself at pushes, so that slow clones, joins and resumes run at every
// spawn, reproducibly.
//
// Called by the slow push and by the search. Rules: README.md. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_CHAOS_H
#define NOPAL_WORKER_CHAOS_H

#include "worker.h"

#include <cstdint>

namespace nopal::chaos {

/// A continuation that was stolen and that no worker runs yet.
struct Ready {
  nopal_frame *frame = nullptr;  // null: none
  std::uint64_t floating_point = 0;
  cactus::Depth depth{};  // where its callees begin
  policy::Mark mark{};    // whose work it is
};

/// Any thread. Cost: a load.
bool is_on() noexcept;

/// For good. Any thread.
void turn_off() noexcept;

/// With the configured probability, takes all continuations of `worker`, oldest first, into its
/// ready list. Caller: the owner, in a push, after it has pushed. Does nothing, and turns the mode
/// off with a warning, if the system refuses a helper thread to run them.
void maybe_steal_from(Worker &worker) noexcept;

/// The mutex of the ready lists, for fork().
void lock_lists() noexcept;
void unlock_lists() noexcept;
/// The newest continuation that `worker` has lost, else of another worker. Caller: the owner. Cost:
/// a load if there is none, else a mutex, and a look at each list.
Ready take_ready(const Worker &worker) noexcept;

}  // namespace nopal::chaos

#endif
