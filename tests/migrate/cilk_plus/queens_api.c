/* <cilk/cilk_api.h>: __cilkrts_set_param and __cilkrts_get_nworkers; n-queens with a reducer. */
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>
#include <stdlib.h>

typedef CILK_C_REDUCER_OPADD_TYPE(int) counter;

static int is_free(const int *board, int row, int column) {
  int i;
  for (i = 0; i < row; i++)
    if (board[i] == column || abs(board[i] - column) == row - i) return 0;
  return 1;
}

static void place(const int *board, int row, int n, counter *solutions);

static void try_column(const int *board, int row, int column, int n, counter *solutions) {
  int next[8], i;
  for (i = 0; i < row; i++) next[i] = board[i];
  next[row] = column;
  place(next, row + 1, n, solutions);
}

static void place(const int *board, int row, int n, counter *solutions) {
  if (row == n) {
    REDUCER_VIEW(*solutions)++;
    return;
  }
  cilk_for (int column = 0; column < n; column++)
    if (is_free(board, row, column)) try_column(board, row, column, n, solutions);
}

int main(void) {
  int status = __cilkrts_set_param("nworkers", "2"), board[1] = {0};
  CILK_C_REDUCER_OPADD(solutions, int, 0);
  CILK_C_REGISTER_REDUCER(solutions);
  place(board, 0, 6, &solutions);
  CILK_C_UNREGISTER_REDUCER(solutions);
  printf("%d %d\n", status == __CILKRTS_SET_PARAM_SUCCESS, (int)__cilkrts_get_nworkers());
  printf("%d %d\n", solutions.value, (int)__cilkrts_get_worker_number() < 2);
  return 0;
}
