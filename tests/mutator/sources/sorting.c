/* Sorting: quick, merge, heap, shell, radix; qsort with a comparison that calls; binary search;
 * permutations. */
#include "common.h"

typedef int (*compare)(const void *, const void *);

static void exchange(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
static void quick(int *a, int n) {
  while (n > 1) {
    int pivot = a[n / 2], i = 0, j = n - 1;
    while (i <= j) {
      while (a[i] < pivot) ++i;
      while (a[j] > pivot) --j;
      if (i <= j) exchange(&a[i++], &a[j--]);
    }
    quick(a, j + 1);
    a += i;
    n -= i;
  }
}
static void merge(int *a, int n, int *scratch) {
  if (n < 2) return;
  int half = n / 2;
  merge(a, half, scratch);
  merge(a + half, n - half, scratch);
  int i = 0, j = half, k = 0;
  while (i < half || j < n) {
    if (j == n || (i < half && a[i] <= a[j]))
      scratch[k++] = a[i++];
    else
      scratch[k++] = a[j++];
  }
  memcpy(a, scratch, (size_t)n * sizeof *a);
}
static void sift(int *a, int root, int n) {
  for (int child; (child = root * 2 + 1) < n; root = child) {
    if (child + 1 < n && a[child] < a[child + 1]) ++child;
    if (a[root] >= a[child]) break;
    exchange(&a[root], &a[child]);
  }
}
static void heap(int *a, int n) {
  for (int i = n / 2 - 1; i >= 0; --i) sift(a, i, n);
  for (int i = n - 1; i > 0; --i) {
    exchange(&a[0], &a[i]);
    sift(a, 0, i);
  }
}
static void shell(int *a, int n) {
  static const int gaps[] = {10, 4, 1};
  for (int g = 0; g < 3; ++g)
    for (int i = gaps[g]; i < n; ++i) {
      int moved = a[i], j = i;
      for (; j >= gaps[g] && a[j - gaps[g]] > moved; j -= gaps[g]) a[j] = a[j - gaps[g]];
      a[j] = moved;
    }
}
static void radix(int *a, int n) {
  int out[64];
  for (int shift = 0; shift < 12; shift += 4) {
    int count[17] = {0};
    for (int i = 0; i < n; ++i) count[(a[i] >> shift & 15) + 1]++;
    for (int i = 0; i < 16; ++i) count[i + 1] += count[i];
    for (int i = 0; i < n; ++i) out[count[a[i] >> shift & 15]++] = a[i];
    memcpy(a, out, (size_t)n * sizeof *a);
  }
}
static int by_value(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}
static void library(int *a, int n, compare less) { qsort(a, (size_t)n, sizeof *a, less); }
static int position(const int *a, int n, int key) {
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (a[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
static int next_permutation(int *a, int n) {
  int i = n - 1, j = n - 1;
  while (i > 0 && a[i - 1] >= a[i]) --i;
  if (i == 0) return 0;
  while (a[j] <= a[i - 1]) --j;
  exchange(&a[i - 1], &a[j]);
  for (j = n - 1; i < j; ++i, --j) exchange(&a[i], &a[j]);
  return 1;
}

enum { N = 40 };
int main(void) {
  int original[N], sorted[N], work[N], scratch[N];
  for (int i = 0; i < N; ++i) original[i] = (int)(next_random() % 1000);
  memcpy(sorted, original, sizeof sorted);
  library(sorted, N, by_value);
  for (int way = 0; way < 5; ++way) {
    memcpy(work, original, sizeof work);
    switch (way) {
      case 0:
        quick(work, N);
        break;
      case 1:
        merge(work, N, scratch);
        break;
      case 2:
        heap(work, N);
        break;
      case 3:
        shell(work, N);
        break;
      case 4:
        radix(work, N);
        break;
    }
    expect(memcmp(work, sorted, sizeof work) == 0, "sorted");
  }
  add_bytes(sorted, sizeof sorted);
  for (int key = 0; key < 1000; key += 90) add((uint64_t)position(sorted, N, key));
  int p[4] = {1, 2, 3, 4}, count = 0;
  do {
    ++count;
    add((uint64_t)(p[0] * 1000 + p[1] * 100 + p[2] * 10 + p[3]));
  } while (next_permutation(p, 4));
  expect(count == 24, "permutations");
  show("sorting");
  return 0;
}
