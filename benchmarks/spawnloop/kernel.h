// spawnloop: one loop that spawns `size` tiny children: the most steals a second. Child stealing
// keeps all of them in memory.
#ifndef BENCHMARKS_SPAWNLOOP_KERNEL_H
#define BENCHMARKS_SPAWNLOOP_KERNEL_H

#include <atomic>

#include "../support/program.h"

/// A few instructions; one child in 1,024 adds to the sum that all share, so that the sum is
/// checked and is no bottleneck.
inline void child(long i, std::atomic<long> *sum) {
  if (bench::mixed(static_cast<std::uint64_t>(i)) % 1024 == 0)
    sum->fetch_add(i, std::memory_order_relaxed);
}

struct Children {
  explicit Children(long size) : n(size) {}
  std::string result() const {
    std::atomic<long> expected{0};
    for (long i = 0; i < n; ++i) child(i, &expected);
    const long is = sum.load(std::memory_order_relaxed);
    return is == expected.load(std::memory_order_relaxed) ? bench::text("%ld children: %ld", n, is)
                                                          : "";
  }

  long n;
  std::atomic<long> sum{0};
};

#endif
