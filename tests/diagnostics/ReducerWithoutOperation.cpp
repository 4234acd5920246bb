// The first error says what is missing.
// RUN: not %cilk_cxx -std=c++17 -fsyntax-only %s 2>&1 | FileCheck-22 %s
// CHECK: error: static assertion failed{{.*}}a reducer needs an operation: write cilk::reducer<T, std::plus<>>
#include <cilk/reducer.h>
cilk::reducer<long> sum;
