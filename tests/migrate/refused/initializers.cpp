// OpenMP and oneTBB in no function's body: every construct stays.
#include <omp.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <cstddef>
#include <functional>
#include <vector>

struct Timer {
  // stays: it is in no function's body
  double began = omp_get_wtime();
  double since;
  // stays: it is in no function's body
  Timer() : since(omp_get_wtime()) {}
};

// stays: it is in no function's body
static const int threads = omp_get_max_threads();
// stays: 'omp_get_wtime' as a value
static double (*now)() = omp_get_wtime;
// stays: it is in no function's body
int shown(int n = omp_get_num_procs()) { return n + threads; }

double wait_for(double (*clock)());
double value() {
  struct Local {
    // stays: it is in no function's body
    int most = omp_get_max_threads();
  };
  // stays: 'omp_get_wtime' as a value
  return wait_for(omp_get_wtime) + now() + Local().most;
}

// OpenMP's threads stay in other code, and with them what depends on their number.
int number(int *counts) {
  // stays: OpenMP's threads remain in other code
  return counts[omp_get_thread_num()];
}

// stays: only a local variable of this class has a counterpart
static tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);

struct Mean {
  std::vector<int> v;
  long sum;
  Mean(int n)
      : v(n, 3),
        // stays: it is in no function's body
        sum(tbb::parallel_reduce(
            tbb::blocked_range<std::size_t>(0, v.size()), 0L,
            [this](const auto &r, long s) {
              for (std::size_t i = r.begin(); i != r.end(); ++i) s += v[i];
              return s;
            },
            std::plus<long>())) {}
};

template <class T>
struct Squares {
  T n;
  // stays: it is in no function's body
  int last = (tbb::parallel_for(0, n, [](int) {}), 1);
};

static std::vector<int> all = [] {
  std::vector<int> v(8);
  // stays: the clause 'ordered' has no counterpart
#pragma omp parallel for ordered
  for (int i = 0; i < 8; ++i) v[i] = i;
  return v;
}();
