// Each optional pass can be switched off alone, and all of them can: the program stays right, with steals too.
// Not on LLVM 19, which has no -opt-disable.
// UNSUPPORTED: llvm-19
// RUN: %nopal-clang++ -O2 %s -o %t && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-disable=nopal-loop-operands && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-disable=nopal-small-loops && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-disable=nopal-small-loop-tests && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-disable=nopal-early-exits && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-disable=nopal-merge-pads && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-disable=nopal-inline-helpers && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-disable=nopal-inline-fast-path && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-disable=nopal-tidy && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-disable=nopal-early-tails && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-disable=nopal-early-returns && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -nopal-worker-in-register && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-disable=nopal-bound-frames && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O2 %s -o %t -mllvm -opt-bisect-limit=0 2>/dev/null && env CILK_CHAOS=1:0.3 %t
// RUN: %nopal-clang++ -O0 %s -o %t -mllvm -opt-bisect-limit=0 2>/dev/null && env CILK_CHAOS=1:0.3 %t
// RUN: %clangxx -O2 -S -emit-llvm %s -o /dev/null -mllvm -opt-disable=nopal-tidy -mllvm -opt-disable-enable-verbosity 2>&1 | FileCheck %s
// CHECK: OptDisable: NOT running pass nopal-tidy on
#include <cilk/cilk.h>

#include <stdexcept>
#include <vector>

long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

void count(std::vector<long> &v, long i) { v[i] += i; }

long loop(long n) {
  std::vector<long> v(n);
  for (long i = 0; i < n; ++i) cilk_spawn count(v, i);
  cilk_sync;
  cilk_for (long i = 0; i < n; ++i) v[i] *= 2;
  long sum = 0;
  for (long x : v) sum += x;
  return sum;
}

int fails(long n) {
  if (n == 0) throw std::runtime_error("down here");
  int x = cilk_spawn fails(n - 1);
  fib(n);
  cilk_sync;
  return x;
}

int main() {
  if (fib(20) != 6765 || loop(1000) != 999000 || loop(3) != 6) return 1;
  try {
    fails(10);
  } catch (const std::runtime_error &) {
    return 0;
  }
  return 2;
}
