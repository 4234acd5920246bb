// What a helper thread does on a segment: find a continuation, run it, find the next; leave when a stack is to be resumed.
//
// Called by helper threads and by suspend. The states of a worker without work: sleep/README.md. Checked by tests/stress.
#ifndef NOPAL_SCHEDULER_WORKER_LOOP_H
#define NOPAL_SCHEDULER_WORKER_LOOP_H

#include "switch.h"

namespace nopal {

/// The main function of every segment. If `departure.frame` is set, a child of that frame has just left its stack, and is joined first.
[[noreturn]] void worker_loop(Departure departure) noexcept;

/// The same on the calling helper thread's native stack, when the system has no segment for it; a segment is asked for again before each theft.
/// `native` is the record under `Thread::native`. Returns when the thread is back there for good: what is to be done with its slot.
Departure worker_loop_without_segment(SuspendedStack &native) noexcept;

} // namespace nopal

#endif
