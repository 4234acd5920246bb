// Rewritten, these would compile and do something else, or not compile: every construct stays.
#include <omp.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstdio>
#include <vector>

int t = 0;

int tabled(int x);
#pragma omp declare variant(tabled) match(construct = {parallel})
int plain(int x) { return x; }
int tabled(int x) { return x + 1; }

void names(int n, int *a) {
#pragma omp parallel for private(t)
  for (int i = 0; i < n; ++i) {
    // stays: '::t' is each thread's own
    ::t = i;
    a[i] = ::t;
  }
#pragma omp parallel for
  // stays: 'plain' has variants for OpenMP
  for (int i = 0; i < n; ++i) a[i] = plain(i);
  int i;
#pragma omp parallel for simd
  for (i = 0; i < n; ++i) a[i] = i;
  // stays: the loop gives 'i' the value that it has here
  std::printf("%d\n", i);
  // stays: 'omp_get_num_threads' has one answer in serial code
  std::printf("%d\n", omp_get_num_threads());
}

int sum(int n, int *a) {
  int s = 0;
#pragma omp parallel reduction(+ : s)
  {
    // stays: each thread has its own 'before'
    const int before = s;
#pragma omp for
    for (int i = 0; i < n; ++i) s += a[i] + before;
  }
  return s;
}

static void inner(int n, int *a) {
  // stays: the clause 'ordered' has no counterpart
#pragma omp parallel for ordered
  for (int i = 0; i < n; ++i) a[i] += i;
}

void numbers(int n, int *a, int (*mine)[4]) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // stays: 'inner' has parallel code of its own
    const int me = omp_get_thread_num();
    mine[me][0] = i;
    inner(4, a + 4 * i);
    a[i] += mine[me][0];
  }
}

void bounded(int n, int (*mine)[4]) {
  // stays: this bounds the thread's number
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < n; ++i) mine[omp_get_thread_num()][0] += i;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // stays: an atomic construct with more of OpenMP in it
#pragma omp atomic
    mine[omp_get_thread_num()][1] += i;
  }
}

// stays: OpenMP's threads remain in other code
int most() { return omp_get_max_threads(); }

template <class T>
void by_type(int n, T *a) {
  if constexpr (sizeof(T) == 4) {
    // stays: the clause 'ordered' has no counterpart
#pragma omp parallel for ordered
    for (int i = 0; i < n; ++i) a[i] = 0;
  } else {
    // stays: it is in a template that nothing here instantiates
#pragma omp parallel for
    for (int i = 0; i < n; ++i) a[i] = 1;
  }
}
template void by_type(int, int *);

// Of one type the loop changes its copy, of the other it cannot.
template <class T>
void by_use(int n, int *a, T x) {
  // stays: each thread changes its own copy of 'x'
#pragma omp parallel for firstprivate(x)
  for (int i = 0; i < n; ++i) a[i] = x(i);
}
struct Constant {
  int operator()(int i) const { return i; }
};
struct Counter {
  int count = 0;
  int operator()(int i) { return i + ++count; }
};
void both(int n, int *a) {
  by_use(n, a, Constant());
  by_use(n, a, Counter());
}

int with() {
  // stays: without -fopenmp this condition selects other code
#ifdef _OPENMP
  return 2;
#else
  return 1;
#endif
}
int since() {
  // stays: without -fopenmp this condition selects other code
#if _OPENMP >= 201511
  return 5;
#else
  return 4;
#endif
}
// stays: _OPENMP is a number with -fopenmp alone
int version() { return _OPENMP; }

void locks(int n, int *a, int &common) {
  // stays: the critical construct 'all' stays in other code
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical(all)
    common += a[i];
  }
#pragma omp parallel
  {
    // stays: each thread of the region meets this 'omp critical'
#pragma omp critical(all)
    ++common;
  }
}

void ranges(int n, std::vector<int> &v, std::atomic<int> &parts) {
  int factor = 1, &other = factor;
  // stays: the body has a copy of 'factor', which is also changed by another name
  tbb::parallel_for(tbb::blocked_range<int>(0, n), [=, &v, &other](const auto &r) {
    for (int i = r.begin(); i != r.end(); ++i) v[i] = factor, other = 2;
  });
  tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const auto &r) {
    // stays: each part of the range has its own 'part'
    const int part = ++parts;
    for (int i = r.begin(); i != r.end(); ++i) v[i] = part;
  });
  tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const auto &r) {
    for (int i = r.begin(); i != r.end(); ++i) {
      // stays: the new code does not compile: 'break' leaves the statement of 'cilk_for'
      if (v[i] == 7) break;
      v[i] = i;
    }
  });
}

void alone(std::vector<int> &v) {
  // stays: isolate has no counterpart
  tbb::this_task_arena::isolate([&] { v[0] = 1; });
}

double reduced(const std::vector<double> &v) {
  // stays: a reducer gives the same bits only if the operation is exact
  return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<std::size_t>(0, v.size()), 0.0,
      [&](const tbb::blocked_range<std::size_t> &r, double sum) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) sum += v[i];
        return sum;
      },
      [](double x, double y) { return x + y; });
}
