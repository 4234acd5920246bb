// lu with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static void schur(View m, View v, View w, long n) {
  if (n == kBlock) {
    schur_block(m, v, w);
    return;
  }
  const long half = n / 2;
  tbb::task_group group;
  for (int k = 0; k < 2; ++k) {
    group.run(
        [=] { schur(m.quarter(0, 0, half), v.quarter(0, k, half), w.quarter(k, 0, half), half); });
    group.run(
        [=] { schur(m.quarter(0, 1, half), v.quarter(0, k, half), w.quarter(k, 1, half), half); });
    group.run(
        [=] { schur(m.quarter(1, 0, half), v.quarter(1, k, half), w.quarter(k, 0, half), half); });
    schur(m.quarter(1, 1, half), v.quarter(1, k, half), w.quarter(k, 1, half), half);
    group.wait();
  }
}

static void lower_solve(View m, View l, long n) {
  if (n == kBlock) {
    lower_solve_block(m, l);
    return;
  }
  const long half = n / 2;
  tbb::task_group group;
  group.run([=] { lower_solve_column(m.quarter(0, 0, half), m.quarter(1, 0, half), l, half); });
  lower_solve_column(m.quarter(0, 1, half), m.quarter(1, 1, half), l, half);
  group.wait();
}

static void upper_solve(View m, View u, long n) {
  if (n == kBlock) {
    upper_solve_block(m, u);
    return;
  }
  const long half = n / 2;
  tbb::task_group group;
  group.run([=] { upper_solve_row(m.quarter(0, 0, half), m.quarter(0, 1, half), u, half); });
  upper_solve_row(m.quarter(1, 0, half), m.quarter(1, 1, half), u, half);
  group.wait();
}

static void lu(View m, long n) {
  if (n == kBlock) {
    lu_block(m);
    return;
  }
  const long half = n / 2;
  const View diagonal = m.quarter(0, 0, half), right = m.quarter(0, 1, half),
             below = m.quarter(1, 0, half), rest = m.quarter(1, 1, half);
  lu(diagonal, half);
  tbb::task_group group;
  group.run([=] { lower_solve(right, diagonal, half); });
  upper_solve(below, diagonal, half);
  group.wait();
  schur(rest, below, right, half);
  lu(rest, half);
}

BENCHMARK(Matrix, solve)
