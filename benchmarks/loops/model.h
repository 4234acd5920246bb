// One source for the loops of all models: Cilk's (also its serial elision), OpenMP static and
// dynamic, oneTBB.
//
//   LOOP(i, low, high) { body; } LOOP_END      a parallel loop over long i; no break in its body
//   INNER_LOOP(i, low, high) ... LOOP_END      the same inside another loop; serial with OpenMP, as
//                                              its users write it
//
// -DMODEL_STATIC, -DMODEL_DYNAMIC (chunks of Cilk's default grain size) or -DMODEL_TBB; else Cilk's
// keywords. A program defines a class and `solve` as the others do (../support/program.h) and ends
// in BENCHMARK.
#ifndef BENCHMARKS_LOOPS_MODEL_H
#define BENCHMARKS_LOOPS_MODEL_H

#include "../support/program.h"

#define MODEL_TEXT(...) _Pragma(#__VA_ARGS__)
#define MODEL_PRAGMA(...) MODEL_TEXT(__VA_ARGS__)  // with macros expanded

#if defined(MODEL_STATIC)
#define MODEL_FOR omp parallel for num_threads(bench::workers_once)
#define LOOP(i, low, high) \
  MODEL_PRAGMA(MODEL_FOR schedule(static)) for (long i = (low); i < (high); ++i)
#define INNER_LOOP(i, low, high) for (long i = (low); i < (high); ++i)
#define LOOP_END
#elif defined(MODEL_DYNAMIC)
#define MODEL_FOR omp parallel for num_threads(bench::workers_once)
#define LOOP(i, low, high)                                                \
  MODEL_PRAGMA(MODEL_FOR schedule(dynamic, bench::chunk((high) - (low)))) \
  for (long i = (low); i < (high); ++i)
#define INNER_LOOP(i, low, high) for (long i = (low); i < (high); ++i)
#define LOOP_END
#elif defined(MODEL_TBB)
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
// A range's own loop, as oneTBB's documents advise: its bounds are locals, so that it vectorizes.
#define LOOP(i, low, high) \
  tbb::parallel_for(tbb::blocked_range<long>((low), (high)), [&](const auto &range_of_##i) { \
    for (long i = range_of_##i.begin(), end_of_##i = range_of_##i.end(); i < end_of_##i; ++i)
#define INNER_LOOP LOOP
#define LOOP_END \
  });
#else
#include <cilk/cilk.h>
#define LOOP(i, low, high) cilk_for (long i = (low); i < (high); ++i)
#define INNER_LOOP LOOP
#define LOOP_END
#endif

namespace bench {

inline const int workers_once = workers();

/// What Cilk's loop takes as its grain.
inline int chunk(long count) {
  const long grain = count / (8L * workers_once);
  return static_cast<int>(grain < 1 ? 1 : grain > 2048 ? 2048 : grain);
}

template <class Input, class Solve>
int run_loops(int argc, char **argv, const Solve &solve) {
#if defined(MODEL_TBB)
  const tbb::global_control parallelism(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(workers_once));
#endif
  return run_program<Input>(argc, argv, solve);
}

}  // namespace bench

#define BENCHMARK(Input, solve) \
  int main(int argc, char **argv) { return bench::run_loops<Input>(argc, argv, solve); }

#endif
