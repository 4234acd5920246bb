// fib: nothing but spawns, so it shows what a spawn costs. Each node that is not a leaf has one
// spawn and two additions of work.
#ifndef BENCHMARKS_FIB_KERNEL_H
#define BENCHMARKS_FIB_KERNEL_H

#include "../support/program.h"

struct Fib {
  explicit Fib(long size) : n(size) {}
  std::string result() const {
    long a = 0, b = 1;
    for (long i = 0; i < n; ++i) b += a, a = b - a;
    return value == a ? bench::text("fib(%ld) = %ld", n, value) : "";
  }

  long n, value = -1;
};

#endif
