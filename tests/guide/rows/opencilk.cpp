// Rows of "From OpenCilk": what OpenCilk's users wrote.
// flags: -fopencilk -fopencilk-enable-pedigrees
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/cilksan.h>
#include <cilk/holder.h>
#include <cilk/opadd_reducer.h>
#include <cilk/ostream_reducer.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rows.h"

static long square(long x) { return x * x; }

static void race_detector() {
  // row: `<cilk/cilksan.h>`, `Cilksan_fake_mutex`, `__cilksan_disable_checking()`
  long per_worker[64] = {};
  Cilksan_fake_mutex mutex;
  cilk_for (int i = 0; i < 100; ++i) {
    Cilksan_fake_lock_guard guard(&mutex);
    __cilksan_disable_checking();
    __atomic_fetch_add(&per_worker[__cilkrts_get_worker_number() % 64], 1, __ATOMIC_RELAXED);
    __cilksan_enable_checking();
  }
  long sum = 0;
  for (const long part : per_worker) sum += part;
  CHECK(sum == 100);
}

static void keywords() {
  // row: `cilk_spawn`, `cilk_sync`, `cilk_for`, `cilk_scope`
  long a = cilk_spawn square(3);
  const long b = square(4);
  cilk_sync;
  CHECK(a + b == 25);
  std::vector<long> squares(100);
  cilk_for (int i = 0; i < 100; ++i) squares[i] = square(i);
  CHECK(squares[99] == 9801);
  cilk_scope { a = cilk_spawn square(5); }
  CHECK(a == 25);

  // row: `cilk_spawn { ... }`
  long c = 0;
  cilk_spawn { c = square(6); }
  const long d = square(7);
  cilk_sync;
  CHECK(c + d == 85);

  // row: `#pragma cilk grainsize 64`
#pragma cilk grainsize 64
  cilk_for (int i = 0; i < 100; ++i) squares[i] = i;
  CHECK(squares[99] == 99);
}

// row: `long cilk_reducer(zero, plus) sum;`
static void zero(void *view) { *static_cast<long *>(view) = 0; }
static void plus(void *left, void *right) {
  *static_cast<long *>(left) += *static_cast<long *>(right);
}
static void reducers() {
  long cilk_reducer(zero, plus) sum = 0;
  cilk_for (int i = 0; i < 1000; ++i) sum += i;
  CHECK(sum == 499500);

  // row: `cilk::opadd_reducer<long>`, `cilk::ostream_reducer<char>`, `cilk::holder<T>`
  cilk::opadd_reducer<long> added = 0;
  std::ostringstream text;
  cilk::ostream_reducer<char> out(text);
  cilk::holder<std::string> scratch;
  cilk_for (int i = 0; i < 10; ++i) {
    scratch = std::to_string(i);
    out << scratch;
    added += i;
  }
  CHECK(added == 45);
  CHECK(text.str() == "0123456789");

  // row: `std::vector<cilk::opadd_reducer<long>>`
  cilk::opadd_reducer<long> array[3] = {0, 0, 0};
  auto *heap = new cilk::opadd_reducer<long>[3]();
  struct Sum {
    cilk::opadd_reducer<long> value = 0;
  };
  std::vector<Sum> members(3);
  cilk_for (int i = 0; i < 99; ++i) {
    array[i % 3] += 1;
    heap[i % 3] += 1;
    members[i % 3].value += 1;
  }
  CHECK(array[2] + heap[2] + members[2].value == 99);
  delete[] heap;

  // row: `long cilk_reducer(zero, plus) a, b;`
  long cilk_reducer(zero, plus) one = 0;
  long cilk_reducer(zero, plus) two = 0;
  cilk_for (int i = 0; i < 10; ++i) {
    one += 1;
    two += 2;
  }
  CHECK(one == 10 && two == 20);
}

static void library() {
  // row: `__cilkrts_get_worker_number()` and the other functions of `<cilk/cilk_api.h>`
  CHECK(__cilkrts_get_nworkers() >= 1);
  // row: `CILK_NWORKERS=4`
  if (const char *workers = getenv("CILK_NWORKERS"))
    CHECK(__cilkrts_get_nworkers() == std::stoul(workers));
  CHECK(__cilkrts_get_worker_number() < unsigned(__cilkrts_get_total_workers()));
  CHECK(__cilkrts_running_on_workers());
  CHECK(__cilkrts_is_initialized());
  CHECK(__cilkrts_atexit([] {}) == 0);
  CHECK(__cilkrts_atinit([] {}) == -1);

  // row: `-fopencilk-enable-pedigrees`, `__cilkrts_get_dprand()`, `__cilkrts_get_pedigree()`
  __cilkrts_init_dprng();
  __cilkrts_dprand_set_seed(7);
  CHECK(__cilkrts_get_dprand() != __cilkrts_get_dprand());
  const __cilkrts_pedigree before = __cilkrts_get_pedigree();
  __cilkrts_bump_worker_rank();
  CHECK(__cilkrts_get_pedigree().rank == before.rank + 1);
}

int main() {
  keywords();
  race_detector();
  reducers();
  library();
}
