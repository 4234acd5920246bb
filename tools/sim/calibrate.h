// Measures what the machine's operations cost, with the runtime's own deque and system calls.
#pragma once

#include "costs.h"

namespace nopal::sim {

/// Medians of some hundred events each, between two threads where the system puts them. What is not
/// measured keeps its typical value: resume, search, pause. Throws BadInput if the system has one
/// processor or refuses membarrier. Takes about a second.
Costs calibrate();

}  // namespace nopal::sim
