// Exercises: two reductions on one loop, reductions + * max min on double and long.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  const long n = 2000;
  std::vector<double> x(n);
  for (long i = 0; i < n; ++i) x[i] = ((i * 733) % 509) * 0.25 - 40.0;

  double sum = 0.0, sum_sq = 0.0;
#pragma omp parallel for reduction(+ : sum, sum_sq)
  for (long i = 0; i < n; ++i) {
    sum += x[i];
    sum_sq += x[i] * x[i];
  }

  double lo = x[0], hi = x[0];
#pragma omp parallel for reduction(min : lo) reduction(max : hi)
  for (long i = 0; i < n; ++i) {
    lo = std::min(lo, x[i]);
    hi = std::max(hi, x[i]);
  }

  double prod = 3.0;
  long count = 0;
#pragma omp parallel for schedule(static) reduction(* : prod) reduction(+ : count)
  for (int i = 0; i < 40; ++i) {
    prod *= (i % 2 == 0) ? 4.0 : 0.5;
    if (x[i] > 0.0) count += 1;
  }

  long best = -1;
#pragma omp parallel for reduction(max : best)
  for (long i = 0; i < n; ++i)
    if (x[i] == hi && i > best) best = i;

  std::printf("sum %.4f sum_sq %.4f\n", sum, sum_sq);
  std::printf("lo %.2f hi %.2f prod %.1f count %ld best %ld\n", lo, hi, prod, count, best);
  return 0;
}
