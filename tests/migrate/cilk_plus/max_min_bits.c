/* CILK_C_REDUCER_MAX, _MIN, _MAX_INDEX, _MIN_INDEX, _OPMUL and _OPXOR, and the macros _CALC. */
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opxor.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>

int main(void) {
  CILK_C_REDUCER_MAX(highest, int, INT_MIN);
  CILK_C_REDUCER_MIN(lowest, double, DBL_MAX);
  CILK_C_REDUCER_MAX_INDEX(where, long, LONG_MIN);
  CILK_C_REDUCER_MIN_INDEX(first, uchar, 255);
  CILK_C_REDUCER_OPMUL(product, ulong, 1);
  CILK_C_REDUCER_OPXOR(parity, int, 1);
  CILK_C_REGISTER_REDUCER(highest);
  CILK_C_REGISTER_REDUCER(lowest);
  CILK_C_REGISTER_REDUCER(where);
  CILK_C_REGISTER_REDUCER(first);
  CILK_C_REGISTER_REDUCER(product);
  CILK_C_REGISTER_REDUCER(parity);
  cilk_for (int i = 1; i <= 128; i++) {
    const int x = i * 45 % 131;
    CILK_C_REDUCER_MAX_CALC(highest, x);
    CILK_C_REDUCER_MIN_CALC(lowest, x / 8.0);
    CILK_C_REDUCER_MAX_INDEX_CALC(where, i, x / 10);
    CILK_C_REDUCER_MIN_INDEX_CALC(first, i, x / 7 + 3);
    REDUCER_VIEW(product) *= (unsigned long)(2 * x + 1);
    REDUCER_VIEW(parity) = REDUCER_VIEW(parity) ^ x;
  }
  CILK_C_UNREGISTER_REDUCER(parity);
  CILK_C_UNREGISTER_REDUCER(product);
  CILK_C_UNREGISTER_REDUCER(first);
  CILK_C_UNREGISTER_REDUCER(where);
  CILK_C_UNREGISTER_REDUCER(lowest);
  CILK_C_UNREGISTER_REDUCER(highest);
  printf("%d %g %ld %ld\n", highest.value, lowest.value, (long)where.value.index,
         where.value.value);
  printf("%ld %d %lu %d\n", (long)first.value.index, first.value.value, product.value,
         parity.value);
  return 0;
}
