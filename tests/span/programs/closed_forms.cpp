// Programs whose work and span are known, with the counting clock: each strand counts its ticks.
// Built and run by report_test.py, which has the formulas.
#include <cilk/cilk.h>
#include <cilk/cilkscale.h>
#include <cilk/measure.h>

#include <clocale>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <thread>

// TICK_NS: the processor time of a tick, for a real clock.
static const long tick_ns = [] {
  const char *text = std::getenv("TICK_NS");
  return text != nullptr ? std::atol(text) : 0;
}();

static long processor_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

static void work(long ticks) {
  nopal_span_count(static_cast<uint64_t>(ticks));
  if (tick_ns == 0) return;
  const long end = processor_ns() + ticks * tick_ns;
  while (processor_ns() < end) {
  }
}

static long lg(long n) { return n <= 1 ? 0 : 1 + lg(n / 2); }

// A balanced tree of n levels; a leaf takes 1, what comes after a sync takes 2.
static void tree(long n) {
  if (n == 0) return work(1);
  cilk_spawn tree(n - 1);
  tree(n - 1);
  cilk_sync;
  work(2);
}

// No parallelism at all.
static void chain(long n) {
  work(3);
  if (n == 1) return;
  cilk_spawn chain(n - 1);
  cilk_sync;
}

// n children of 5, one after the other; 1 between them.
static void flat(long n) {
  for (long i = 0; i < n; ++i) {
    cilk_spawn work(5);
    work(1);
  }
}

static void loop(long n) {
  cilk_for (long i = 0; i < n; ++i) work(7);
}

static void loop_with_grain(long n) {
#pragma cilk grainsize 10
  cilk_for (long i = 0; i < n; ++i) work(7);
}

// One long iteration.
static void uneven_loop(long n) {
#pragma cilk grainsize 1
  cilk_for (long i = 0; i < n; ++i) work(i == n / 2 ? 1000 : 1);
}

static void nested_loops(long n) {
#pragma cilk grainsize 1
  cilk_for (long i = 0; i < n; ++i) {
#pragma cilk grainsize 1
    cilk_for (long k = 0; k < n; ++k) work(1);
  }
}

static void sort(long n) {
  if (n == 1) return work(1);
  cilk_spawn sort(n / 2);
  sort(n / 2);
  cilk_sync;
  work(n);
}

static void merge(long n) {
  if (n == 1) return work(1);
  work(lg(n));
  cilk_spawn merge(n / 2);
  merge(n / 2);
}

static void sort_with_parallel_merge(long n) {
  if (n == 1) return work(1);
  cilk_spawn sort_with_parallel_merge(n / 2);
  sort_with_parallel_merge(n / 2);
  cilk_sync;
  merge(n);
}

static void multiply(long n) {
  if (n == 1) return work(1);
  for (int half = 0; half < 2; ++half) {
    cilk_spawn multiply(n / 2);
    cilk_spawn multiply(n / 2);
    cilk_spawn multiply(n / 2);
    multiply(n / 2);
    cilk_sync;
  }
}

// The outer child runs beside the inner region.
static void regions(long n) {
  cilk_spawn work(3 * n);
  cilk_scope {
    cilk_spawn work(n);
    work(1);
  }
  work(n);
}

static void throws() {
  work(4);
  throw std::runtime_error("child");
}

static void exceptions(long n) {
  for (long i = 0; i < n; ++i) {
    try {
      cilk_spawn work(10);
      cilk_spawn throws();
      work(100);
    } catch (const std::exception &) {
      work(1);
    }
  }
}

// Two children of other sites: 100 that are serial, 4 of 50.
static void serial_part(long n) { work(n); }
static void parallel_part(long n) { work(n); }
static void two_sites(long n) {
  cilk_spawn serial_part(2 * n);
  for (int i = 0; i < 4; ++i) cilk_spawn parallel_part(n);
  cilk_sync;
  work(n / 10);
}

static void measured(long n) {
  for (long i = 0; i < 3; ++i) {
    cilk::measure here("tree");
    tree(n);
  }
  cilk::measure here("flat");
  flat(n);
  cilk_sync;
}

static void cilkscale(long n) {
  const wsp_t start = wsp_getworkspan();
  tree(n);
  const wsp_t middle = wsp_getworkspan();
  flat(n);
  const wsp_t end = wsp_getworkspan();
  wsp_dump(middle - start, "tree");
  wsp_dump(wsp_add(wsp_sub(end, middle), wsp_zero()), "flat");
}

static void other_thread(long n) {
  std::thread([n] { tree(n); }).join();
  tree(1);
}

static void ends_in_a_child(long) {
  work(1);
  std::exit(0);
}
static void ends(long n) {
  work(2);
  cilk_spawn ends_in_a_child(n);
}

// Two records of one place, the second where higher sites are known, and in use. Their names have
// the constraint in them, which the C++ library of GCC 12 does not know.
template <std::integral T>
[[gnu::noinline]] static void instance(T n) {
  cilk_spawn work(n);
  work(1);
  cilk_sync;
}
static void within(long n) {
  work(3);
  instance<int>(static_cast<int>(n));
  work(3);
}
static void instances(long n) {
  instance<long>(n);
  cilk_spawn work(100 * n);
  work(1);
  cilk_sync;
  cilk_spawn within(n);
  work(1);
  cilk_sync;
}

struct Named {
  const char *name;
  void (*run)(long n);
};

int main(int count, char **arguments) {
  constexpr Named all[] = {
      {"tree", tree},
      {"chain", chain},
      {"flat", flat},
      {"loop", loop},
      {"loop_with_grain", loop_with_grain},
      {"uneven_loop", uneven_loop},
      {"nested_loops", nested_loops},
      {"sort", sort},
      {"sort_with_parallel_merge", sort_with_parallel_merge},
      {"multiply", multiply},
      {"regions", regions},
      {"exceptions", exceptions},
      {"two_sites", two_sites},
      {"measured", measured},
      {"cilkscale", cilkscale},
      {"other_thread", other_thread},
      {"ends", ends},
      {"instances", instances},
  };
  std::setlocale(LC_ALL, "");
  if (count == 2 && std::strcmp(arguments[1], "decimal_point") == 0)
    return std::puts(std::localeconv()->decimal_point) < 0;
  for (const Named &one : all)
    if (count == 3 && std::strcmp(arguments[1], one.name) == 0) {
      cilk::measure here("run");  // without the program's start
      one.run(std::atol(arguments[2]));
      return 0;
    }
  return 1;
}
