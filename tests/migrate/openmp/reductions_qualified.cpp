// Reductions of variables that the clause names with their namespace, beside others of the
// same name.
#include <cstdio>

namespace stats {
long sum = 1;
}
namespace totals {
long sum = 2;
}
long sum = 7;

static void add(int n) {
#pragma omp parallel for reduction(+ : stats::sum)
  for (int i = 0; i < n; ++i) stats::sum += i;
#pragma omp parallel for reduction(+ : totals::sum)
  for (int i = 0; i < n; ++i) totals::sum += i;
  const long sum = n;
#pragma omp parallel for reduction(max : ::sum)
  for (int i = 0; i < n; ++i)
    if (::sum < i * sum) ::sum = i * sum;
}

int main() {
  add(100);
  std::printf("%ld %ld %ld\n", stats::sum, totals::sum, sum);
}
