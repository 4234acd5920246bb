// Comments on a pragma's own lines, and a macro that uses a reduced variable twice. Those that
// begin with "has" stay.
#include <cstdio>

#define MAXOF(a, b) ((a) > (b) ? (a) : (b))

int main() {
  long sum = 0;
  int a[8] = {};
#pragma omp parallel for reduction(+ : sum)  // has: hot
  for (int i = 0; i < 100; ++i) sum += i;
  {
#pragma omp parallel for /* has: two \
   lines */                          \
    schedule(dynamic)    // has: end
    for (int i = 0; i < 8; ++i) a[i] = i;
  }
#pragma omp parallel for schedule(static) /* has: last */
  for (int i = 0; i < 8; ++i) a[i] += i;
#pragma omp parallel for reduction(max : sum)
  for (int i = 0; i < 8; ++i) sum = MAXOF(sum, 900L * a[i]);
  std::printf("%ld %d\n", sum, a[7]);
}
