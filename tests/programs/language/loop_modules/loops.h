// Inline functions and templates with loops and regions, in a header that two modules include. A
// function that does not spawn itself is inlined in its callers, so the functions made from its
// loop must exist, whichever module's copy the linker takes.
#pragma once

#include <cilk/cilk.h>

long other(long n);

inline long sum(const long *table, long n) {
  long found[8] = {};
  cilk_for (int i = 0; i < 8; ++i) found[i] = table[i] * n + other(i);
  long all = 0;
  for (const long one : found) all = all * 3 + one;
  return all;
}

template <class T>
T scaled(T *values, T n) {
  cilk_for (T i = 0; i < n; ++i) values[i] = values[i] * 3 + i;
  return values[n - 1];
}

// Spawns and loops in loops, and handlers around them.
template <class T>
T nested(T n) {
  T found[16] = {};
  for (int round = 0; round < 2; ++round) {
    try {
      cilk_for (int i = 0; i < 16; ++i) {
        T part = 0;
        part = cilk_spawn other(n + i);
        T more[4] = {};
        cilk_for (int j = 0; j < 4; ++j) more[j] = i * j + other(j);
        cilk_sync;
        found[i] += part + more[3];
      }
      if (round == 1) throw n;
    } catch (const T thrown) {
      found[0] += thrown;
    }
  }
  return found[0] + found[7] * 5 + found[15];
}

inline long scoped(long n) {
  long a = 0, b = 0;
  cilk_scope {
    a = cilk_spawn other(n);
    b = other(n + 1);
  }
  try {
    cilk_spawn { a += other(n + 2); }
    if (n > 5) throw 7;
  } catch (const int seven) {
    b += seven;
  }
  return a + b * 2;
}

long elsewhere(long n);
