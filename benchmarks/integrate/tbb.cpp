// integrate with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static double integrate(double x1, double y1, double x2, double y2, double area) {
  const double half = (x2 - x1) / 2, x0 = x1 + half, y0 = function(x0);
  const double left_area = (y1 + y0) / 2 * half, right_area = (y0 + y2) / 2 * half;
  if (std::fabs(left_area + right_area - area) < kEpsilon) return left_area + right_area;
  double left;
  tbb::task_group group;
  group.run([=, &left] { left = integrate(x1, y1, x0, y0, left_area); });
  const double right = integrate(x0, y0, x2, y2, right_area);
  group.wait();
  return left + right;
}

static void solve(Integral &input) {
  const double y = function(input.n);
  input.value = integrate(0, 0, input.n, y, y / 2 * input.n);
}

BENCHMARK(Integral, solve)
