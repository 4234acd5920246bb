// The search for a continuation: victims, backoff, polling, parking.
//
// Called by the worker's loop alone. States and proof: sleep/README.md; victims: policy/. Checked by tests/stress.
#ifndef NOPAL_SCHEDULER_FIND_WORK_H
#define NOPAL_SCHEDULER_FIND_WORK_H

#include "../worker/worker.h"

namespace nopal {

/// Searches until it finds a stolen continuation and returns its frame, with the floating point control words of its victim set in this thread;
/// or returns null when the runtime stops. The caller runs on `worker` and has an empty deque. Does not switch stacks.
nopal_frame *find_work(Worker &worker) noexcept;

} // namespace nopal

#endif
