// fib: the n-th Fibonacci number, computed as badly as possible: one spawn for every addition.
//
// The smallest program that spawns. It does nothing else, so what it takes longer than its serial
// elision is what a spawn costs.
//
//   nopal-clang++ -O2 fib.cpp -o fib && ./fib 35
//   clang++ -O2 -DCILK_SERIAL -I<prefix>/include fib.cpp -o fib-serial      the serial elision
//
// matrix: args 20
// matrix: chaos-args 14

#include <cilk/cilk.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

// The n-th Fibonacci number, 0 <= n <= 90. Work: about 1.6^n calls. Span: n calls.
long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);  // the child; another worker may run what follows meanwhile
  long y = fib(n - 2);
  cilk_sync;  // x may be read from here on
  return x + y;
}

// The same number in n steps, to check the result.
static long fib_by_iteration(long n) {
  long current = 0, next = 1;
  for (long i = 0; i < n; ++i) {
    long sum = current + next;
    current = next;
    next = sum;
  }
  return current;
}

int main(int argc, char **argv) {
  long n = 30;
  if (argc > 1) {
    char *end = nullptr;
    errno = 0;
    n = std::strtol(argv[1], &end, 10);
    if (argc > 2 || errno != 0 || end == argv[1] || *end != '\0' || n < 0 || n > 90) {
      std::fprintf(
          stderr,
          "usage: %s [N]    N from 0 to 90 (default 30; each 5 more take 11 times as long)\n",
          argv[0]);
      return 2;
    }
  }
  long result = fib(n);
  std::printf("fib(%ld) = %ld\n", n, result);
  if (result != fib_by_iteration(n)) {
    std::fprintf(stderr, "fib: wrong: it is %ld\n", fib_by_iteration(n));
    return 1;
  }
  return 0;
}
