// Inline functions that spawn, in a header: for contexts.cpp.
#pragma once

#include <cilk/cilk.h>

inline long spawning_inline(long n) {
  if (n < 2) return n;
  long a = cilk_spawn spawning_inline(n - 1);
  long b = spawning_inline(n - 2);
  cilk_sync;
  return a + b;
}

template <class T>
struct SpawningTemplate {
  static T run(T n) {
    if (n < 2) return n;
    T a = cilk_spawn run(n - 1);
    T b = run(n - 2);
    cilk_sync;
    return a + b;
  }
};
