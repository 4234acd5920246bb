// skynet: a tree of 10 children a node, 10^size leaves, whose numbers are added up.
#ifndef BENCHMARKS_SKYNET_KERNEL_H
#define BENCHMARKS_SKYNET_KERNEL_H

#include "../support/program.h"

constexpr int kChildren = 10;

inline long sum_of(const long (&numbers)[kChildren]) {
  long sum = 0;
  for (const long number : numbers) sum += number;
  return sum;
}

struct Skynet {
  explicit Skynet(long size) {
    for (long i = 0; i < size; ++i) leaves *= kChildren;
  }
  std::string result() const {
    return sum == leaves * (leaves - 1) / 2 ? bench::text("%ld leaves: %ld", leaves, sum) : "";
  }

  long leaves = 1, sum = -1;
};

#endif
