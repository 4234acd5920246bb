// fib: nothing but spawns. One spawn a node that is not a leaf, and two additions of work: what a spawn costs, and nothing else.
//
// Compiled twice by ../run.py: with the keywords, and with -DCILK_SERIAL as the serial elision that the ratio is taken against. Note
// that Clang turns one of the two serial calls into a loop; -DKEEP_CALLS keeps both, a fairer baseline, reported beside it.
#include <cilk/cilk.h>

#include <cstdio>
#include <cstdlib>

#ifdef KEEP_CALLS
__attribute__((disable_tail_calls))
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

int main(int argc, char **argv) {
  std::printf("%ld\n", fib(argc > 1 ? std::atol(argv[1]) : 40));
  return 0;
}
