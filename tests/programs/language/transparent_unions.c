// Arguments for a transparent union, which Clang makes a literal of: in spawned calls of functions
// and through pointers, beside other arguments, and in an expression that is spawned as a whole.

#include <cilk/cilk.h>

#include "../support/check.h"

typedef union __attribute__((transparent_union)) {
  const int *i;
  const float *f;
} Number;

static NOINLINE long value(Number n) {
  linger();
  return *n.i;
}

static NOINLINE long both(Number a, long factor, Number b) {
  linger();
  return *a.i * factor + *b.i;
}

static long (*volatile pointer)(Number) = value;

static NOINLINE long run(int n) {
  int one = n, two = 2 * n;
  float real = 1.5f;
  long a = cilk_spawn value(&one);
  long b = cilk_spawn both(&one, 10, &two);
  long c = cilk_spawn pointer(&two);
  long d, e;
  d = cilk_spawn value((Number){.i = &one});
  cilk_spawn e = value(&two) + 1;
  cilk_spawn value(&real);
  cilk_sync;
  return a + 3 * b + 5 * c + 7 * d + 11 * e;
}

int main(void) {
  for (int n = 1; n < 5; ++n) printf("%ld\n", run(n));
  return 0;
}
