// Loops that spawn. A value that is already in its slot is not stored again, so each slot must be
// right in each iteration: in both clones, in nested loops, after syncs and handlers in a loop, and
// where a loop is left and entered again with other values.

#include <cilk/cilk.h>

#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "../support/check.h"

namespace {

NOINLINE long weigh(long a, long b, long c) {
  if ((a + b + c) % 5 == 0) linger();
  return a * 10'007 + b * 101 + c;
}

void add(std::atomic<long> &sum, long a, long b, long c) { sum += weigh(a, b, c); }

// Each level has a value that stays the same in the inner loops.
long levels(long planes, long rows, long columns, double scale) {
  std::atomic<long> sum{0};
  for (long p = 0; p < planes; ++p) {
    const long plane = p * p + planes;
    for (long r = 0; r < rows - p; ++r) {
      const long row = r * plane + 1;
      const double weight = scale * static_cast<double>(row);
      for (long c = 0; c < columns; ++c)
        cilk_spawn add(sum, row, plane, c + static_cast<long>(weight));
      sum += row;
    }
    sum += plane;
  }
  cilk_sync;
  return sum;
}

// Two spawns in turn, each with values of its own, and a spawn in every third iteration only.
long turns(long n, long a, long b) {
  std::atomic<long> sum{0};
  for (long i = 0; i < n; ++i) {
    cilk_spawn add(sum, i, a, 1);
    cilk_spawn add(sum, b, i, 2);
    if (i % 3 == 1) cilk_spawn add(sum, a, b, i);
  }
  cilk_sync;
  return sum;
}

// Resumed in each iteration, or in some.
long waits(long n, long a, bool always) {
  std::atomic<long> sum{0};
  long seen = 0;
  for (long i = 0; i < n; ++i) {
    cilk_spawn add(sum, i, a, n);
    if (always || i % 4 == 2) {
      cilk_sync;
      seen = (seen * 31 + sum) % 1'000'003;
    }
  }
  cilk_sync;
  return seen + sum;
}

// The same loop repeatedly with other values, and two loops in sequence with the same.
long again(long n) {
  std::atomic<long> sum{0};
  long limit = 3;
  for (long round = 0; round < n; ++round, limit += round % 2 == 0 ? 2 : -1) {
    for (long i = 0; i < limit; ++i) cilk_spawn add(sum, limit, i, round);
    for (long i = limit; i > 0; --i) cilk_spawn add(sum, i, limit, round);
  }
  cilk_sync;
  return sum + limit;
}

// A value that seems invariant changes under a condition.
long changes(long n, long a) {
  std::atomic<long> sum{0};
  long b = 1;
  for (long i = 0; i < n; ++i) {
    if (weigh(i, a, b) % 7 < 3) b += i;
    cilk_spawn add(sum, a, b, i);
    sum += b;
  }
  cilk_sync;
  return sum + b;
}

void fail_at(std::atomic<long> &sum, long i, long where, long tag) {
  if (i % 2 == 0) linger();
  if (i == where) throw std::runtime_error(std::to_string(tag));
  sum += tag;
}

// A handler in the loop: the fast clone continues in the middle of the loop.
long handles(long n, long where, long tag) {
  std::atomic<long> sum{0};
  long caught = 0;
  for (long i = 0; i < n; ++i) {
    try {
      cilk_spawn fail_at(sum, i % 5, where, tag + i);
      cilk_spawn fail_at(sum, (i + 2) % 5, where, tag - i);
      cilk_sync;
    } catch (const std::runtime_error &error) {
      caught = caught * 3 + std::stol(error.what());
    }
    cilk_spawn add(sum, tag, where, i);
  }
  cilk_sync;
  return caught;
}

// A handler around it.
long leaves(long n, long where) {
  std::atomic<long> sum{0};
  long caught = 0;
  for (long i = 0; i < n; ++i) {
    try {
      for (long k = 0; k <= i; ++k) cilk_spawn fail_at(sum, k, where, i);
      cilk_sync;
      caught += 1'000;
    } catch (const std::runtime_error &error) {
      caught += std::stol(error.what());
    }
  }
  return caught;
}

// A loop with two entries has no header.
long entered_twice(long n, bool first) {
  std::atomic<long> sum{0};
  long i = 0;
  if (first) goto middle;
begin:
  cilk_spawn add(sum, i, n, 1);
  ++i;
middle:
  cilk_spawn add(sum, n, i, 2);
  i += 2;
  if (i < n) goto begin;
  cilk_sync;
  return sum + i;
}

// Inlined children: there is no call between push and pop, and the child uses the register of the
// predicted bottom.
inline void small(std::atomic<long> &sum, long i, long k) {
#if defined(__x86_64__)
  __asm__ volatile("leaq (%0, %1), %%r10" : : "r"(i), "r"(k) : "r10");
#endif
  sum.fetch_add(i * k, std::memory_order_relaxed);
}

inline void larger(std::atomic<long> &sum, unsigned long state, long rounds) {
  unsigned long all = state;
  for (long i = 0; i < rounds; ++i) all = mix(all, next_random(&state));
  sum.fetch_add(static_cast<long>(all % 1'000), std::memory_order_relaxed);
}

long inlined(long n, long k) {
  std::atomic<long> sum{0};
  for (long i = 0; i < n; ++i) {
    cilk_spawn small(sum, i, k);
    if (i % 2 == 0) cilk_spawn small(sum, k, i + 1);
    if (i % 16 == 0) cilk_spawn larger(sum, static_cast<unsigned long>(i), k);
  }
  cilk_sync;
  return sum;
}

// Recursion with a loop in each activation, most of them without an iteration.
long queens(long row, long n, unsigned columns, unsigned left, unsigned right) {
  if (row == n) return 1;
  std::atomic<long> count{0};
  for (long c = 0; c < n; ++c) {
    const unsigned bit = 1u << c;
    if (((columns | left | right) & bit) != 0) continue;
    cilk_spawn [&count, row, n, columns, left, right, bit] {
      count += queens(row + 1, n, columns | bit, ((left | bit) << 1) & 0xffffu, (right | bit) >> 1);
    }();
  }
  cilk_sync;
  return count;
}

// Values of many kinds, all of which the slow clone must find.
struct Point {
  float x, y, z, w;
};

long kinds(long n, float scale, Point offset, const char *text) {
  std::atomic<long> sum{0};
  const __int128 wide = static_cast<__int128>(n) << 70;
  for (long i = 0; i < n; ++i) {
    cilk_spawn add(sum, i, text[i % 4], static_cast<long>(offset.x + offset.w));
    sum += static_cast<long>(scale * offset.y + offset.z) + static_cast<long>(wide >> 69) + text[1];
  }
  cilk_sync;
  return sum;
}

}  // namespace

int main() {
  std::printf("%ld\n", levels(3, 5, 4, 1.5));
  std::printf("%ld %ld\n", turns(9, 4, 70), turns(1, 2, 3));
  std::printf("%ld %ld\n", waits(12, 5, true), waits(13, 6, false));
  std::printf("%ld\n", again(6));
  std::printf("%ld\n", changes(20, 8));
  std::printf("%ld %ld\n", handles(10, 2, 50), handles(7, 9, 3));
  std::printf("%ld %ld\n", leaves(6, 3), leaves(4, 99));
  std::printf("%ld %ld\n", entered_twice(14, true), entered_twice(15, false));
  std::printf("%ld\n", inlined(500, 3));
  std::printf("%ld\n", queens(0, 6, 0, 0, 0));
  std::printf("%ld\n", kinds(11, 2.5f, {1, 2, 3, 4}, "cilk"));
  return 0;
}
