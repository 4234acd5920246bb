/* Exercises: variables that only loops use, beside others, after others and alone; no warning says
 * that one is unused. */
#include <stdio.h>
int main(void) {
  int s = 0, i, k;
  int j, a[10][10];
  double *p, tmp = 0;
  int only; /* a counter */
#pragma omp parallel for reduction(+ : s) private(j, tmp)
  for (i = 0; i < 10; i++)
    for (j = 0; j < 10; j++) {
      tmp = i;
      a[i][j] = i * j + (int)tmp;
      s += a[i][j];
    }
#pragma omp parallel for private(p)
  for (i = 0; i < 10; i++) {
    double q = i;
    p = &q;
    a[i][0] = (int)*p;
  }
#pragma omp parallel for
  for (only = 0; only < 10; only++) a[only][1] = only;
  for (k = 0; k < 10; k++) s += a[k][1];
  printf("%d\n", s);
  return 0;
}
