/* Strict C99, with a header of the C library before <cilk/cilk.h>: there _Static_assert is a macro.
 *
 * matrix: flags -std=c99
 */
#include <stdio.h>

#include <cilk/cilk.h>

static int fib(int n) {
  int x, y;
  if (n < 2) return n;
  x = cilk_spawn fib(n - 1);
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  printf("c99: %d\n", fib(12));
  return 0;
}
