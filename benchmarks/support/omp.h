// The main of a program with OpenMP tasks: `solve` runs in the single construct of a parallel
// region.
#ifndef BENCHMARKS_SUPPORT_OMP_H
#define BENCHMARKS_SUPPORT_OMP_H

#include "program.h"

namespace bench {

template <class Input, class Solve>
int run_openmp(int argc, char **argv, const Solve &solve) {
  return run_program<Input>(argc, argv, [&](Input &input) {
#pragma omp parallel num_threads(workers())
#pragma omp single
    solve(input);
  });
}

}  // namespace bench

#define BENCHMARK(Input, solve) \
  int main(int argc, char **argv) { return bench::run_openmp<Input>(argc, argv, solve); }

#endif
