/* _Cilk_spawn and _Cilk_sync in C without a header: fib, a sort by merging, an implicit sync. */
#include <stdio.h>
#include <string.h>

static int fib(int n) {
  int x, y;
  if (n < 2) return n;
  x = _Cilk_spawn fib(n - 1);
  y = fib(n - 2);
  _Cilk_sync;
  return x + y;
}

static void merge_sort(int *a, int *space, int n) {
  int half = n / 2, i = 0, j = half, k = 0;
  if (n < 2) return;
  _Cilk_spawn merge_sort(a, space, half);
  merge_sort(a + half, space + half, n - half);
  _Cilk_sync;
  while (i < half && j < n) space[k++] = a[j] < a[i] ? a[j++] : a[i++];
  while (i < half) space[k++] = a[i++];
  while (j < n) space[k++] = a[j++];
  memcpy(a, space, sizeof *a * (size_t)n);
}

static void square(int *x) { *x *= *x; }

static void squares(int *a, int n) {
  int i;
  for (i = 0; i < n; i++) _Cilk_spawn square(&a[i]);
}

int main(void) {
  int a[150], space[150], i;
  for (i = 0; i < 150; i++) a[i] = i * 61 % 151;
  merge_sort(a, space, 150);
  squares(a, 10);
  printf("%d %d %d %d %d\n", fib(15), a[0], a[9], a[10], a[149]);
  return 0;
}
