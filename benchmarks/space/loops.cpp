// Nested parallel loops: `size` times `size` iterations, the inner of 64 numbers each.
#include "model.h"

#include <atomic>

static std::atomic<long> total{0};

__attribute__((noinline)) static void inner(long i, long n) {
  LOOP(j, n) {
    long x = i * n + j;
    for (int k = 0; k < 64; ++k) x = x * 6364136223846793005L + 1;
    if ((x & 1) != 0) total.fetch_add(1, std::memory_order_relaxed);
  }
  LOOP_END;
}

long run(long size) {
  LOOP(i, size) { inner(i, size); }
  LOOP_END;
  return total.load();
}
