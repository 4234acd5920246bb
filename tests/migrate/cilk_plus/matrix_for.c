/* cilk_for and _Cilk_for in C: the variable outside the loop, grainsize, steps, nested loops. */
#include <cilk/cilk.h>
#include <stdio.h>

#define SIZE 20

static long a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(int n) {
  int i;
#pragma cilk grainsize = 1
  cilk_for (i = 0; i < n; i++) {
    int j, k;
    for (j = 0; j < n; j++) {
      long sum = 0;
      for (k = 0; k < n; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
}

int main(void) {
  int i, rows[SIZE] = {0};
  long trace = 0;
  cilk_for (int row = 0; row < SIZE; ++row) {
    cilk_for (int column = 0; column < SIZE; ++column) {
      a[row][column] = row + 2 * column;
      b[row][column] = row - column;
    }
  }
  multiply(SIZE);
#pragma cilk grainsize = SIZE / 4
  _Cilk_for(int row = SIZE - 1; row >= 0; row -= 2) rows[row] = (int)(c[row][0] % 1000);
  cilk_for (long *p = &c[0][0]; p != &c[1][0]; p++) *p = -*p;
  for (i = 0; i < SIZE; i++) trace += c[i][i];
  printf("%ld %ld %d %d\n", trace, c[0][3], rows[19], rows[18]);
  return 0;
}
