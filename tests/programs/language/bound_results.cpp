// Spawned results that live as long as a reference or a structured binding, in C++17;
// bound_results_23.cpp is the same in C++23.
//
// matrix: flags -std=c++17

#include "../support/bound_results.h"
