// A function with `asm goto` is not inlined into one that spawns, where the split refuses it.
// RUN: %clang -O2 -c %s -o /dev/null
// RUN: not %clang -O2 -c -DALWAYS %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: 'cilk_spawn' in a function with 'asm goto' is not supported
#include <cilk/cilk.h>
#ifdef ALWAYS
__attribute__((always_inline))
#endif
static inline long is_on(long n) {
  __asm__ goto("jmp %l0" : : : : out);
  n += 1;
out:
  return n;
}
static inline long key(long n) { return is_on(n); }
long work(long n);
long f(long n) {
  long a = cilk_spawn work(key(n));
  long b = work(key(2 * n));
  cilk_sync;
  return a + b;
}
