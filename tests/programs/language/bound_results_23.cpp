// bound_results.cpp in C++23.
//
// matrix: flags -std=c++23

#include "../support/bound_results.h"
