/* Keywords in a header that several files include, or that is precompiled: inline functions and
 * templates that spawn. C and C++. */
#ifndef NOPAL_MODES_KEYWORDS_H
#define NOPAL_MODES_KEYWORDS_H

#include <cilk/cilk.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

/* In the other file. */
#ifdef __cplusplus
extern "C" {
#endif
long part_fib(long n);
int part_thread_local_is_mine(int n);
#ifdef __cplusplus
}
#endif

static inline long inline_fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn inline_fib(n - 1);
  long y = inline_fib(n - 2);
  cilk_sync;
  return x + y;
}

static inline void inline_fill(int *values, int n, int start) {
  for (int i = 0; i < n; ++i) values[i] = start + i;
}

/* The sum of 0 .. n-1, each part written by a child. */
static inline long inline_sum(int n) {
  int values[64];
  long sum = 0;
  for (int i = 0; i < n; i += 8) cilk_spawn inline_fill(values + i, 8, i);
  cilk_sync;
  for (int i = 0; i < n; ++i) sum += values[i];
  return sum;
}

#ifdef __cplusplus
template <class T>
T template_fib(T n) {
  if (n < 2) return n;
  T x = cilk_spawn template_fib(n - 1);
  T y = template_fib(n - 2);
  cilk_sync;
  return x + y;
}

template <class Body>
long generic_sum(int n, Body body) {
  long low = 0, high = 0;
  cilk_spawn { low = body(n); }
  high = body(n + 1);
  cilk_sync;
  return low + high;
}

class Shape {
 public:
  virtual ~Shape() = default;
  virtual long area() const = 0;
  /* Spawns through the virtual table. */
  long twice() const {
    long first = cilk_spawn area();
    long second = area();
    cilk_sync;
    return first + second;
  }
};
#endif

#include "loops.h"

#endif
