// Exercises: parallel for with int, long, size_t, pointer, reverse and i += 3 loops.
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
  return 0;
}
