// The main of a program with Cilk's keywords, and of its serial elision.
#ifndef BENCHMARKS_SUPPORT_CILK_H
#define BENCHMARKS_SUPPORT_CILK_H

#include <cilk/cilk.h>

#include "program.h"

#define BENCHMARK(Input, solve) \
  int main(int argc, char **argv) { return bench::run_program<Input>(argc, argv, solve); }

#endif
