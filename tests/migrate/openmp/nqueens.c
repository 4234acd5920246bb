// Exercises: n-queens with tasks made in a for loop (firstprivate), if clause, taskwait.
#include <stdio.h>

#define MAX_N 8

struct board {
  int size;
  int col[MAX_N];
};

static int safe(const struct board *b, int row, int c) {
  for (int r = 0; r < row; r++) {
    int d = b->col[r] - c;
    if (d == 0 || d == row - r || d == r - row) return 0;
  }
  return 1;
}

static int place(struct board b, int row) {
  if (row == b.size) return 1;
  int found[MAX_N] = {0}, sum = 0;
  for (int c = 0; c < b.size; c++) {
    if (!safe(&b, row, c)) continue;
// stays: the task has its own copy of 'b'
#pragma omp task shared(found) firstprivate(b, c, row) if (row < 3)
    {
      b.col[row] = c;
      found[c] = place(b, row + 1);
    }
  }
#pragma omp taskwait
  for (int c = 0; c < b.size; c++) sum += found[c];
  return sum;
}

int main(void) {
  for (int n = 4; n <= 8; n++) {
    int count = 0;
// stays: OpenMP's code stays in other functions
#pragma omp parallel
#pragma omp single
    count = place((struct board){.size = n}, 0);
    printf("queens(%d) = %d\n", n, count);
  }
  return 0;
}
