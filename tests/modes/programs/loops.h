/* Loops in a header, included by keywords.h and so precompiled with it. Not in the counts of
   coverage: the head of a cilk_for is run once a leaf. C and C++. */
#ifndef NOPAL_MODES_LOOPS_H
#define NOPAL_MODES_LOOPS_H

#include <cilk/cilk.h>

#define GRAIN (2 + 2)

/* What a loop in a header writes; an inner loop, an early way on, a grain. */
static inline long inline_loop(int n) {
  long cells[300];
  cilk_for (int i = 0; i < n; ++i) {
    cells[i] = i;
    if (i % 3 == 0) continue;
    for (int j = 0; j < i % 5; ++j) cells[i] += j;
  }
#ifdef __clang__
#pragma cilk grainsize GRAIN
#else /* a preprocessor that does not expand it */
#pragma cilk grainsize 4
#endif
  cilk_for (long i = n; i > 0; i -= 2) cells[i - 1] *= 2;
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += cells[i];
  return sum;
}

#ifdef __cplusplus
/* Iterators, and a body that throws. */
template <class Range>
long template_loop(Range &range) {
  cilk_for (auto it = range.begin(); it != range.end(); ++it) *it = *it * *it;
  long sum = 0;
  cilk_for (auto value : range) __atomic_fetch_add(&sum, value, __ATOMIC_RELAXED);
#if __cpp_exceptions
  try {
    cilk_for (int i = 0; i < 8; ++i)
      if (i == 5) throw i;
  } catch (int caught) {
    sum += caught - 5;
  }
#endif
  return sum;
}

#endif

#endif
