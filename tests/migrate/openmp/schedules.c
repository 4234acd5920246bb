// Exercises: schedule(static), schedule(dynamic, 8), schedule(guided), num_threads, if clause.
#include <stdio.h>

#define N 600

static int collatz(int n) {
  int steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}

static int total(const int *a) {
  int s = 0;
  for (int i = 0; i < N; i++) s += a[i] * (i % 5 + 1);
  return s;
}

int main(void) {
  int a[N], b[N], c[N], d[N], e[N];
  int work = N;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++) a[i] = collatz(i + 1);
#pragma omp parallel for schedule(dynamic, 8)
  for (int i = 0; i < N; i++) b[i] = collatz(2 * i + 1);
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < N; i++) c[i] = collatz(3 * i + 1);
#pragma omp parallel for num_threads(3) schedule(static, 16)
  for (int i = 0; i < N; i++) d[i] = a[i] + b[i];
#pragma omp parallel for if (work > 10000)
  for (int i = 0; i < N; i++) e[i] = d[i] - c[i];
  printf("static  %d\ndynamic %d\nguided  %d\n", total(a), total(b), total(c));
  printf("threads %d\nif      %d\n", total(d), total(e));
  return 0;
}
