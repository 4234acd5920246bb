/* A program whose spawns the linker drops, all or all but some: LIVE of the functions that spawn
   are called.

   An object may then refer to the bounds of a section that no object has. Built by builds.dropped,
   in each case: LIVE 0  nobody calls a function that spawns LIVE 1  one does: statistics know this
   one LIVE 2  a call stands after a test that link-time optimization folds */
#include "dropped.h"

#include <stdio.h>

/* No static one: it would be gone before the splitter sees it. */
long never_called(long n) {
  if (n < 2) return n;
  long x = cilk_spawn never_called(n - 1);
  long y = never_called(n - 2);
  cilk_sync;
  return x + y;
}

long live(long n) {
  if (n < 2) return n;
  long x = cilk_spawn live(n - 1);
  long y = live(n - 2);
  cilk_sync;
  return x + y;
}

#ifdef __cplusplus
long takes_address(long n) { return n == 7 ? of_two_files(n) : n; }
#endif

int main(void) {
  long sum = serial_part(20);
#if LIVE == 1
  sum += live(10);
#elif LIVE == 2
  if (constant) sum += never_called(10);
#endif
  printf("%ld\n", sum);
  return 0;
}
