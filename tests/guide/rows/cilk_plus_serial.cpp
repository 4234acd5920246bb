// A row of "From Cilk Plus": the serial elision.
// compiler: clang++-22
// flags: -include cilk/cilk_stub.h
// or flags: -DCILK_SERIAL
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer_opadd.h>

#include "rows.h"

static long square(long x) { return x * x; }

int main() {
  // row: `-include cilk/cilk_stub.h`
  cilk::reducer<cilk::op_add<long>> sum;
  cilk_for (int i = 0; i < 10; ++i) *sum += cilk_spawn square(i);
  cilk_sync;
  CHECK(sum.get_value() == 285);
  CHECK(__cilkrts_get_nworkers() == 1);
}
