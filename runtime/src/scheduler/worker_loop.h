// What a helper thread does on a segment: find a continuation, run it, find the next; leave when a stack is to be resumed.
//
// Called by helper threads and by suspend. The states of a worker without work: sleep/README.md. Checked by tests/stress.
#ifndef NOPAL_SCHEDULER_WORKER_LOOP_H
#define NOPAL_SCHEDULER_WORKER_LOOP_H

#include "switch.h"

namespace nopal {

/// The main function of every segment. If `departure.frame` is set, a child of that frame has just left its stack, and is joined first.
[[noreturn]] void worker_loop(Departure departure) noexcept;

} // namespace nopal

#endif
