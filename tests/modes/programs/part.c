/* The other file of both programs, compiled as C or as C++: it has its own copies of the header's
 * functions and spawn sites of its own. Also a shared library. */

#include "keywords.h"

#ifdef __cplusplus
#define THREAD_LOCAL thread_local
#else
#define THREAD_LOCAL _Thread_local
#endif

static THREAD_LOCAL int mine;
static NOINLINE int *address_of_mine(void) { return &mine; }

long part_fib(long n) {
  if (n < 2) return inline_fib(n);
  long x = cilk_spawn part_fib(n - 1);
  long y = part_fib(n - 2);
  cilk_sync;
  return x + y;
}

int part_thread_local_is_mine(int n) {
  int right = 0;
  for (int i = 0; i < n; ++i) {
    long x = cilk_spawn part_fib(3);
    mine = i;
    right += *address_of_mine() == i;
    cilk_sync;
    mine = -i;
    right += *address_of_mine() == -i && x == 2;
  }
  return right;
}
