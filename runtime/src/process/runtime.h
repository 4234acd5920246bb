// The runtime as a whole: start, stop, and what the rest of the library may ask about it.
//
// Used by attach, by cilk_api, by tests. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PROCESS_RUNTIME_H
#define NOPAL_PROCESS_RUNTIME_H

#include <cstddef>
#include <mutex>

namespace nopal {

/// Starts the runtime (threads included) if it does not run, without attaching the caller. Any
/// thread. Cost: the first time it creates a thread for each further processor, P - 1 at most, some
/// tens of microseconds each; else a mutex. Threads beyond the processors start when all others
/// have found work.
void start();

/// Ends all helper threads and unmaps all idle segments, until the next start(), or the next spawn
/// of the caller or of a thread that is not attached. Caller: a thread of the program, attached or
/// not, also within a spawned child that runs on it. Returns false, and changes nothing, if the
/// caller is a helper thread, or works for one while it waits, or if another thread is attached.
/// Waits until the helpers have no work left.
bool stop();

/// Whether helper threads may run: between start and stop. Any thread.
bool is_started() noexcept;
/// Whether the calling thread holds a worker, so that a spawn is cheap.
bool is_on_worker() noexcept;
/// The calling thread's worker, in [0, workers_made()); -1 if it holds none. May change across a
/// spawn or sync. Async-signal-safe.
int worker_number() noexcept;
/// P: the workers for one attached thread, itself included. Any thread.
unsigned worker_count() noexcept;
/// The bound of worker_number(). Any thread.
unsigned workers_made() noexcept;
/// The bound of worker_number() as long as no further thread attaches. Only grows. Any thread.
unsigned most_workers() noexcept;
/// Helper threads that exist now, with or without a worker. Any thread.
std::size_t helper_thread_count() noexcept;

/// Guards start, stop, attach and detach against each other.
std::mutex &lifecycle() noexcept;
/// Settles what never changes (configuration, fence, statistics). Under lifecycle(). Cost: nothing
/// after the first time.
void prepare_locked();
/// Whether that was done. Under lifecycle().
bool is_prepared_locked() noexcept;
/// Starts the helpers if they do not run. Under lifecycle(), after prepare_locked().
void start_helpers_locked();

/// `attached` threads are attached to a runtime that has started. Under lifecycle().
void promise_workers_locked(std::size_t attached) noexcept;

}  // namespace nopal

#endif
