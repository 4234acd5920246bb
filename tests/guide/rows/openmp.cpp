// Rows of "From OpenMP": both sides of each, which give the same.
// flags: -fopenmp
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

#include "rows.h"

static const int n = 1000;
using Numbers = std::vector<long>;
static long f(long x) { return 3 * x % 1001; }

static void loops() {
  Numbers a(n), b(n);
  // row: `#pragma omp parallel for` before a loop
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = f(i);
  cilk_for (int i = 0; i < n; ++i) b[i] = f(i);
  CHECK(a == b);

  // row: `schedule(dynamic, 64)`, `schedule(guided)`
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < n; ++i) a[i] = f(a[i]);
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < n; ++i) a[i] = f(a[i]);
#pragma cilk grainsize 64
  cilk_for (int i = 0; i < n; ++i) b[i] = f(b[i]);
  cilk_for (int i = 0; i < n; ++i) b[i] = f(b[i]);
  CHECK(a == b);

  // row: `#pragma omp taskloop grainsize(64)`
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(64)
  for (int i = 0; i < n; ++i) a[i] = f(a[i]);
#pragma cilk grainsize 64
  cilk_for (int i = 0; i < n; ++i) b[i] = f(b[i]);
  CHECK(a == b);

  // row: `private(t)`
  long t;
#pragma omp parallel for private(t)
  for (int i = 0; i < n; ++i) {
    t = f(i);
    a[i] = t + t;
  }
  cilk_for (int i = 0; i < n; ++i) {
    long own = f(i);
    b[i] = own + own;
  }
  CHECK(a == b);

  // row: `#pragma omp simd`
#pragma omp simd
  for (int i = 0; i < n; ++i) a[i] += i;
#pragma clang loop vectorize(enable)
  for (int i = 0; i < n; ++i) b[i] += i;
  CHECK(a == b);
}

// row: `declare reduction`
struct Range {
  long low, high;
};
static void widen(Range &left, const Range &right) {
  left = {std::min(left.low, right.low), std::max(left.high, right.high)};
}
#pragma omp declare reduction(widen:Range : widen(omp_out, omp_in)) \
    initializer(omp_priv = Range{1 << 20, -1})
struct Widen {
  static Range identity() { return {1 << 20, -1}; }
  static void reduce(Range &left, Range &right) { widen(left, right); }
};

static void reductions() {
  // row: `reduction(+ : sum)`
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += f(i);
  cilk::reducer<long, std::plus<>> total;
  cilk_for (int i = 0; i < n; ++i) *total += f(i);
  CHECK(sum == *total);

  // row: `reduction(max : m)`
  int m = 0;
#pragma omp parallel for reduction(max : m)
  for (int i = 0; i < n; ++i) m = std::max(m, int(f(i)));
  cilk::reducer<int, cilk::maximum> most;
  cilk_for (int i = 0; i < n; ++i) *most = std::max(*most, int(f(i)));
  CHECK(m == *most);

  Range wide{1 << 20, -1};
#pragma omp parallel for reduction(widen : wide)
  for (int i = 0; i < n; ++i) widen(wide, {f(i), f(i)});
  cilk::reducer<Range, Widen> wider;
  cilk_for (int i = 0; i < n; ++i) widen(*wider, {f(i), f(i)});
  CHECK(wide.low == wider->low && wide.high == wider->high);
}

static long omp_tree(int depth) {
  if (depth == 0) return 1;
  long left, right;
  // row: `#pragma omp task shared(x)`, `x = f();`
  // row: `if(n > 1000)`, `final`, `mergeable`, `untied`
#pragma omp task shared(left) if (depth > 3) final(depth < 3) mergeable
  left = omp_tree(depth - 1);
  right = omp_tree(depth - 1);
  // row: `#pragma omp taskwait`
#pragma omp taskwait
  return left + right;
}
static long tree(int depth) {
  if (depth == 0) return 1;
  long left = cilk_spawn tree(depth - 1);
  long right = tree(depth - 1);
  cilk_sync;
  return left + right;
}

static void tasks() {
  long a = 0, b = 0, c = 0;
  // row: `#pragma omp parallel` and `single` around the first task
#pragma omp parallel
#pragma omp single
  a = omp_tree(8);
  CHECK(a == tree(8));

  // row: `#pragma omp task` before a block
  // row: `#pragma omp taskgroup`
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task
    {
      b = f(3);
    }
  }
  cilk_scope {
    cilk_spawn { c = f(3); }
  }
  CHECK(b == c);

  // row: `firstprivate(p)`
  Numbers d(10), e(10);
#pragma omp parallel
#pragma omp single
  for (int p = 0; p < 10; ++p) {
#pragma omp task firstprivate(p) shared(d) untied
    d[p] = f(p);
  }
  for (int p = 0; p < 10; ++p) cilk_spawn [&e](int p) { e[p] = f(p); }(p);
  cilk_sync;
  CHECK(d == e);

  // row: `#pragma omp sections`
#pragma omp parallel sections
  {
#pragma omp section
    d[0] = f(5);
#pragma omp section
    d[1] = f(6);
  }
  cilk_spawn [&e] { e[0] = f(5); }();
  e[1] = f(6);
  cilk_sync;
  CHECK(d == e);
}

// row: `threadprivate` for scratch space
static Numbers buffer;
#pragma omp threadprivate(buffer)

static void shared() {
  // row: `#pragma omp critical`, `atomic`
  long a = 0, b = 0, c = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    a += f(i);
#pragma omp atomic
    b += f(i);
  }
  std::mutex mutex;
  std::atomic<long> d{0};
  cilk_for (int i = 0; i < n; ++i) {
    {
      const std::lock_guard guard(mutex);
      c += f(i);
    }
    d += f(i);
  }
  CHECK(a == b && a == c && a == d);

  Numbers left(n), right(n);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    buffer.assign(10, i);
    left[i] = std::accumulate(buffer.begin(), buffer.end(), 0L);
  }
  cilk::scratch<Numbers> scratch;
  cilk_for (int i = 0; i < n; ++i) {
    scratch->assign(10, i);
    right[i] = std::accumulate(scratch->begin(), scratch->end(), 0L);
  }
  CHECK(left == right);

  // row: `omp_get_thread_num()`, `omp_get_max_threads()`
  std::atomic<bool> is_below{true};
  const int threads = omp_get_max_threads();
  const unsigned workers = __cilkrts_get_nworkers();
  // row: `OMP_NUM_THREADS=4`
  if (const char *number = getenv("CILK_NWORKERS")) CHECK(workers == std::stoul(number));
  if (const char *number = getenv("OMP_NUM_THREADS")) CHECK(threads == std::stoi(number));
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    if (omp_get_thread_num() >= threads) is_below = false;
  cilk_for (int i = 0; i < n; ++i)
    if (__cilkrts_get_worker_number() >= workers) is_below = false;
  CHECK(is_below);
}

int main() {
  loops();
  reductions();
  tasks();
  shared();
}
