// Exercises: the library's include with an empty line on both sides.

#include <cstdio>

#include <omp.h>

int main() {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i % 7;
  std::printf("%ld\n", sum);
}
