// fib with Cilk's keywords; with -DCILK_SERIAL its serial elision.
//
// Clang turns one of the elision's two calls into a loop; -DKEEP_CALLS keeps both, a fairer
// baseline, reported beside it. -DNOINLINE: the spawned function may not be inlined, so that its
// early exits are not taken in place and every spawn is pushed: what a spawn costs.
#include "../support/cilk.h"
#include "kernel.h"

#ifdef KEEP_CALLS
__attribute__((disable_tail_calls))
#endif
#ifdef NOINLINE
__attribute__((noinline))
#endif
long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
#ifdef KEEP_CALLS
  asm volatile("" : "+r"(y));
#endif
  return x + y;
}

static void solve(Fib &input) { input.value = fib(input.n); }

BENCHMARK(Fib, solve)
