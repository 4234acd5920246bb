// Exercises: parallel sections with 3 sections, and sections within a parallel region.
#include <stdio.h>

static int primes_below(int n) {
  int count = 0;
  for (int i = 2; i < n; i++) {
    int d = 2;
    while (d * d <= i && i % d) d++;
    count += d * d > i;
  }
  return count;
}

int main(void) {
  int primes = 0, squares = 0, digits = 0;
#pragma omp parallel sections
  {
#pragma omp section
    primes = primes_below(2000);
#pragma omp section
    {
      for (int i = 1; i <= 100; i++) squares += i * i;
    }
#pragma omp section
    {
      int n = 987654321;
      for (; n > 0; n /= 10) digits += n % 10;
    }
  }
  printf("primes %d squares %d digits %d\n", primes, squares, digits);

  long left = 0, right = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp sections
    {
      for (int i = 0; i < 500; i++) left += i ^ 3;
#pragma omp section
      for (int i = 500; i < 1000; i++) right += i ^ 5;
    }
#pragma omp single
    printf("left %ld right %ld\n", left, right);
  }
  return 0;
}
