/* The second file of dropped.c: a member of an archive, or a shared library that hides what it does
 * not promise. */
#include "dropped.h"

#ifdef __cplusplus
extern "C" {
#endif
extern const long constant;
__attribute__((visibility("default"))) const long constant = 0;

__attribute__((visibility("default"))) long serial_part(long n) { return n + 1; }
#ifdef __cplusplus
}
#endif

long also_never_called(long n) {
  if (n < 2) return n;
  long x = cilk_spawn also_never_called(n - 1);
  long y = also_never_called(n - 2);
  cilk_sync;
  return x + y;
}

#ifdef __cplusplus
long also_takes_address(long n) { return n == 7 ? of_two_files(n) : n; }
#endif
