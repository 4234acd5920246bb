// tbb::parallel_for with a step, and `return;` in the lambda as early exit of one iteration.
#include <tbb/parallel_for.h>

#include <cstdio>
#include <vector>

int main() {
  const int n = 5000;
  std::vector<int> multiples(n, 0);
  std::vector<char> prime(n, 0);

  // The last stride does not land on n: 0, 7, 14, ..., 4998.
  tbb::parallel_for(0, n, 7, [&](int i) { multiples[i] = i / 7 + 1; });

  tbb::parallel_for(0, n, [&](int i) {
    if (i < 2) return;
    for (int d = 2; d * d <= i; ++d) {
      if (i % d == 0) return;
    }
    prime[i] = 1;
  });

  const long stride = 3;
  tbb::parallel_for(1L, long(n), stride, [&](long i) {
    if (prime[i]) return;
    multiples[i] -= 1;
  });

  long sum = 0, primes = 0, weighted = 0;
  for (int i = 0; i < n; ++i) {
    sum += multiples[i];
    primes += prime[i];
    weighted += long(multiples[i]) * (i % 101);
  }
  std::printf("sum %ld, primes %ld, weighted %ld\n", sum, primes, weighted);
  return 0;
}
