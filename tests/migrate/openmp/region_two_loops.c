// Exercises: parallel region with two omp for, omp for nowait, private, outer index variable.
#include <stdio.h>

#define N 240

int main(void) {
  static double a[N], b[N], c[N];
  int i, j;
  double t;

#pragma omp parallel shared(a, b) private(t)
  {
#pragma omp for
    for (i = 0; i < N; i++) {
      t = i * 0.5;
      a[i] = t * t;
    }
#pragma omp for schedule(static)
    for (i = 0; i < N; i++) {
      t = a[(i + 1) % N];
      b[i] = a[N - 1 - i] + t;
    }
  }

#pragma omp parallel
  {
#pragma omp for nowait
    for (int k = 0; k < N; k++) a[k] += 1.0;
#pragma omp for
    for (int k = 0; k < N; k++) b[k] -= 2.0;
  }

#pragma omp parallel for private(j)
  for (i = 0; i < N; i++) {
    c[i] = 0.0;
    for (j = 0; j <= i; j++) c[i] += a[j] - b[j];
  }

  double sa = 0, sb = 0, sc = 0;
  for (i = 0; i < N; i++) sa += a[i], sb += b[i], sc += c[i] * (i % 3);
  printf("a %.2f\nb %.2f\nc %.2f\n", sa, sb, sc);
  return 0;
}
