/* nqueens: in how many ways can n queens stand on an n by n board so that none attacks another?
 *
 * In C. Each try of a column is a spawned child that gets a board of its own, taken with alloca()
 * in the spawn loop: it lives until the function ends, so no child ever sees its board go away, and
 * nothing has to be freed. That is what ordinary stacks are for.
 *
 *   nopal-clang -O2 nqueens.c -o nqueens && ./nqueens 12
 *
 * matrix: args 8
 * matrix: chaos-args 6
 */

#include <cilk/cilk.h>

#include <alloca.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxBoard = 16 };

/* The number of solutions for boards up to kMaxBoard: sequence A000170 of the Online Encyclopedia
 * of Integer Sequences. */
static const long kSolutions[kMaxBoard + 1] = {
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};

/* May a queen stand in row `row` at `column`, given the columns of the rows above? */
static int is_safe(const char *columns, int row, int column) {
  for (int above = 0; above < row; ++above) {
    int distance = columns[above] - column;
    if (distance == 0 || distance == row - above || distance == above - row) return 0;
  }
  return 1;
}

/* The number of ways to fill the rows from `row` on, when columns[0..row) are taken. */
static long count_solutions(int n, int row, const char *columns) {
  if (row == n) return 1;
  long counts[kMaxBoard] = {0};
  for (int column = 0; column < n; ++column) {
    if (!is_safe(columns, row, column)) continue;
    char *next = alloca((size_t)row + 1);
    memcpy(next, columns, (size_t)row);
    next[row] = (char)column;
    counts[column] = cilk_spawn count_solutions(n, row + 1, next);
  }
  cilk_sync;
  long total = 0;
  for (int column = 0; column < n; ++column) total += counts[column];
  return total;
}

int main(int argc, char **argv) {
  long n = 10;
  if (argc > 1) {
    char *end = NULL;
    errno = 0;
    n = strtol(argv[1], &end, 10);
    if (argc > 2 || errno != 0 || end == argv[1] || *end != '\0' || n < 1 || n > kMaxBoard) {
      fprintf(stderr, "usage: %s [N]    N from 1 to %d (default 10)\n", argv[0], kMaxBoard);
      return 2;
    }
  }
  long total = count_solutions((int)n, 0, "");
  printf("%ld queens: %ld solutions\n", n, total);
  if (total != kSolutions[n]) {
    fprintf(stderr, "nqueens: wrong: there are %ld\n", kSolutions[n]);
    return 1;
  }
  return 0;
}
