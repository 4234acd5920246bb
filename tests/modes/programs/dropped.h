/* Spawning functions that the linker drops in some cases of dropped.c, each for another reason.
 * See there. */
#ifndef DROPPED_H
#define DROPPED_H

#include <cilk/cilk.h>

#ifdef __cplusplus
extern "C" {
#endif
long serial_part(long n);   /* dropped_part.c, where functions spawn that nobody calls */
extern const long constant; /* 0, which only a linker that optimizes knows */
#ifdef __cplusplus
}

/* Both files may have it: the linker drops one of the two groups, or both. */
inline long of_two_files(long n) {
  if (n < 2) return n;
  long x = cilk_spawn of_two_files(n - 1);
  long y = of_two_files(n - 2);
  cilk_sync;
  return x + y;
}
#endif

#endif
