// Measures what the machine's operations cost, with the runtime's own deque and system calls.
#pragma once

#include "costs.h"

namespace nopal::sim {

/// Medians of some hundred events each, between threads on the first two processors. What is not
/// measured keeps its typical value: resume, search, pause. `workers`, at least 1: those of the
/// runs to be simulated; so many processors work at once while their noise is recorded, 16 at most.
/// Throws BadInput if the system has one processor or refuses membarrier. Takes about a second,
/// and 30 ms for each processor.
Costs calibrate(int workers);

}  // namespace nopal::sim
