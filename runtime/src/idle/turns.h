// Programs of one user take turns (CILK_ADAPT=turns): one goes first and has as many processors as
// it can use, and the others have the rest.
//
// A thread looks every millisecond at the list of programs (programs.h) and applies the rule
// (policy/turns.h). The search and the poller ask for the allotment (find_work.cpp). A worker that
// works in spite of it finds its next push slow, as when the poller sets its alarm, and waits
// there; so a spawn costs what it costs without turns. Why nobody waits for ever: README.md,
// "Turns". Checked by tests/stress/turns_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_IDLE_TURNS_H
#define NOPAL_IDLE_TURNS_H

#include "../policy/turns.h"

#include <cstdint>
#include <string>

namespace nopal {
struct Worker;
}

namespace nopal::turns {

using policy::kUnlimited;

/// Begins to take turns, if CILK_ADAPT asks for that. Under lifecycle(). If the list of programs
/// cannot be opened, or the thread is refused, a warning says so.
void start() noexcept;
/// Leaves the list and joins the thread, when the runtime stops. Waits for the update that the
/// thread is at.
void stop() noexcept;
/// In a forked process, which has no thread that takes turns.
void forget() noexcept;

/// How many workers may run. Cost: a load.
std::uint32_t allotment() noexcept;
/// Whether there are other programs that take turns. Cost: a load.
bool has_others() noexcept;
/// How many wait for their turn. Cost: a load.
std::uint32_t waiting() noexcept;
/// Active workers (active.h) that neither wait for their turn nor stand still. A hint. Cost: four
/// loads.
std::uint32_t running_workers() noexcept;
/// Whether as many workers may run as do now, and `more`. A hint. Cost: five loads.
inline bool may_run(std::uint32_t more) noexcept { return running_workers() + more <= allotment(); }
/// The owner of a deque, after a slow push: waits if more workers run than may, for
/// kLongestTurnWait at most. The statistics count that as waiting for a processor.
void wait_after_push(Worker &worker) noexcept;

/// Before the first start: takes part in the list of that name, and not in the user's. Returns 0 or
/// the system's error. For tests.
int open_list(const std::string &name) noexcept;

}  // namespace nopal::turns

#endif
