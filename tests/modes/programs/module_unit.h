/* A header that is imported as a header unit: for builds.header_unit. */
#include <cilk/cilk.h>

inline long header_fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn header_fib(n - 1);
  long y = header_fib(n - 2);
  cilk_sync;
  return x + y;
}

template <class T>
T header_sum(const T *values, long n) {
  if (n == 1) return values[0];
  T x = cilk_spawn header_sum(values, n / 2);
  T y = header_sum(values + n / 2, n - n / 2);
  cilk_sync;
  return x + y;
}
