// bound_results.cpp in C++23.
//
// matrix: flags -std=c++23 -ftrivial-auto-var-init=pattern

#include "../support/bound_results.h"
