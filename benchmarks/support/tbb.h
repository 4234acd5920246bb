// The main of a program with oneTBB: `solve` runs in an arena of as many slots as there are
// workers.
#ifndef BENCHMARKS_SUPPORT_TBB_H
#define BENCHMARKS_SUPPORT_TBB_H

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "program.h"

namespace bench {

template <class Input, class Solve>
int run_tbb(int argc, char **argv, const Solve &solve) {
  return run_program<Input>(argc, argv, [&](Input &input) {
    const tbb::global_control parallelism(tbb::global_control::max_allowed_parallelism,
                                          static_cast<std::size_t>(workers()));
    const tbb::global_control stacks(tbb::global_control::thread_stack_size,
                                     std::size_t{512} << 20);
    tbb::task_arena(workers()).execute([&] { solve(input); });
  });
}

}  // namespace bench

#define BENCHMARK(Input, solve) \
  int main(int argc, char **argv) { return bench::run_tbb<Input>(argc, argv, solve); }

#endif
