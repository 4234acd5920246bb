// Exercises: parallel for with int, long, size_t, pointer, reverse and i += 3 loops; loops whose
// variables were declared before them, and are named as private or not.
#include <stddef.h>
#include <stdio.h>

#define N 1000

static long checksum(const int *a, int n) {
  long h = 7;
  for (int i = 0; i < n; i++) h = (h * 31 + a[i]) % 1000003;
  return h;
}

int main(void) {
  static int a[N];
#pragma omp parallel for
  for (int i = 0; i < N; i++) a[i] = i * i % 17;
  printf("int      %ld\n", checksum(a, N));

#pragma omp parallel for
  for (long i = 1; i <= N; ++i) a[i - 1] += (int)(i * 3);
  printf("long     %ld\n", checksum(a, N));

#pragma omp parallel for
  for (size_t k = 0; k < N / 2; k++) {
    int t = a[2 * k];
    a[2 * k] = a[2 * k + 1];
    a[2 * k + 1] = t;
  }
  printf("size_t   %ld\n", checksum(a, N));

#pragma omp parallel for
  for (int *p = a; p < a + N; p++) *p = *p * 2 + 1;
  printf("pointer  %ld\n", checksum(a, N));

#pragma omp parallel for
  for (int i = N - 1; i >= 0; --i) a[i] -= i;
  printf("reverse  %ld\n", checksum(a, N));

#pragma omp parallel for
  for (int i = 0; i < N; i += 3) a[i] = -a[i];
  printf("stride   %ld\n", checksum(a, N));

  int i, j, t;
#pragma omp parallel for private(i, t)
  for (i = 0; i < N; i++) {
    t = a[i] * 5;
    a[i] = t % 1009;
  }
#pragma omp parallel for private(j) collapse(2)
  for (i = 0; i < N / 10; i++)
    for (j = 0; j < 10; j++) a[i * 10 + j] += i - j;
#pragma omp parallel private(i)
#pragma omp for
  for (i = 0; i < N; i++) a[i] ^= i;
  printf("private  %ld\n", checksum(a, N));
  return 0;
}
