// Inline functions and templates that are cut behind their tests, in a header that two modules
// include: each has a rest of its own, whichever of the functions the linker takes. What they spawn
// besides themselves, their regions and their loops must be there for both.
#pragma once

#include <cilk/cilk.h>

long other(long n);

template <class T>
T tested(T n, T salt) {
  const T key = (n + salt * 29) % 97 * 5;
  if (n < 1 || key == 75) return key + 1;
  const T a = cilk_spawn tested(n - 1, salt ^ 5);
  const T c = cilk_spawn other(n);
  const T b = tested(n - 2, key & 7);
  cilk_sync;
  return a + b + c + key;
}

// With a loop, a spawned block and a try block.
inline long looped(long *sums, long n, long salt) {
  const long key = (n * 31 + salt) % 1009 / 3;
  if (n < 2 || key == 7) return key;
  cilk_for (long i = 0; i < 64; ++i) __atomic_fetch_add(&sums[i], key + i, __ATOMIC_RELAXED);
  long a = 0;
  try {
    a = cilk_spawn looped(sums, n - 1, key);
    if (key % 5 == 1) throw n;
  } catch (const long thrown) {
    a += thrown;
  }
  long c = 0;
  cilk_spawn { c = other(key); }
  const long b = looped(sums, n - 2, salt ^ 3);
  cilk_sync;
  return a + b + c;
}

struct Member {
  long scale;
  long under(long low, long high) const {
    const long size = high - low, weight = (low * scale ^ high) % 511 + size;
    if (size < 2) return weight;
    const long a = cilk_spawn under(low, low + size / 2);
    const long b = under(low + size / 2, high);
    cilk_sync;
    return a * 3 + b + weight;
  }
};

long elsewhere(long n);
