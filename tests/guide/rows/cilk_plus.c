// Rows of "From Cilk Plus": what its users wrote, in C.
// flags: -fcilkplus -fnopal-pedigrees
static long square(long x) { return x * x; }

static long keywords(void) {
  // row: `_Cilk_spawn`, `_Cilk_sync`, `_Cilk_for` without a header
  long sums[10], a = _Cilk_spawn square(3);
  _Cilk_for(int i = 0; i < 10; i++) sums[i] = square(i);
  _Cilk_sync;
  return a + sums[9];
}

#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>
#include <limits.h>

#include "rows.h"

int main(void) {
  CHECK(keywords() == 90);

  // row: `int i; cilk_for (i = 0; i < n; i++)` in C
  int a[100];
  const int n = 100;
  int i;
  cilk_for (i = 0; i < n; i++) a[i] = 7 * i % n;
  CHECK(a[99] == 93);

  // row: `#pragma cilk grainsize = 64`
#pragma cilk grainsize = 64
  cilk_for (int k = 0; k < n; k++) a[k] += 1;
  CHECK(a[99] == 94);

  // row: `CILK_C_REDUCER_OPADD`, `CILK_C_REDUCER_MAX_CALC` and the other macros for C
  CILK_C_REDUCER_OPADD(sum, long, 0);
  CILK_C_REDUCER_MAX(most, int, INT_MIN);
  CILK_C_REGISTER_REDUCER(sum);
  CILK_C_REGISTER_REDUCER(most);
  cilk_for (int k = 0; k < n; k++) {
    REDUCER_VIEW(sum) += k;
    CILK_C_REDUCER_MAX_CALC(most, a[k]);
  }
  CILK_C_UNREGISTER_REDUCER(sum);
  CILK_C_UNREGISTER_REDUCER(most);
  CHECK(sum.value == 4950 && most.value == 100);

  // row: `__cilkrts_get_pedigree()`, a deterministic random number generator
  __cilkrts_pedigree strand = __cilkrts_get_pedigree();
  CHECK(strand.parent == 0);
  CHECK(__cilkrts_bump_worker_rank() == 0 && __cilkrts_get_pedigree().rank == strand.rank + 1);
  CHECK(__cilkrts_get_dprand() != __cilkrts_get_dprand());
  return 0;
}
