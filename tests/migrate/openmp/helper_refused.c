// A helper that does not compile, here since a macro has the name of its parameter: the loop that
// needs it stays, and no other.
#define view 1
#include <stdio.h>

int main(void) {
  int a[100];
  long sum = view;
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) a[i] = i * i;
  // stays: the new code does not compile: expected
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += a[i];
  printf("%ld\n", sum);
  return 0;
}
