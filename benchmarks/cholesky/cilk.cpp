// cholesky with Cilk's keywords; with -DCILK_SERIAL its serial elision.
#include "../support/cilk.h"
#include "kernel.h"

// r - a bᵀ; of the part on the diagonal only the lower triangle.
static Node *subtract(int depth, bool is_lower, const Node *a, const Node *b, Node *r) {
  if (a == nullptr || b == nullptr) return r;
  if (r == nullptr) r = new_node(depth);
  if (depth == 0) {
    subtract_block(a, b, r);
    return r;
  }
  for (int k = 0; k < 2; ++k) {
    r->quarter[0][0] = cilk_spawn subtract(depth - 1, is_lower, a->quarter[0][k], b->quarter[0][k],
                                        r->quarter[0][0]);
    r->quarter[1][0] =
        cilk_spawn subtract(depth - 1, false, a->quarter[1][k], b->quarter[0][k], r->quarter[1][0]);
    if (!is_lower) {
      Node *&right = r->quarter[0][1];
      right = cilk_spawn subtract(depth - 1, false, a->quarter[0][k], b->quarter[1][k], right);
    }
    r->quarter[1][1] =
        subtract(depth - 1, is_lower, a->quarter[1][k], b->quarter[1][k], r->quarter[1][1]);
    cilk_sync;
  }
  return r;
}

// a l⁻ᵀ.
static Node *backsub(int depth, Node *a, const Node *l) {
  if (a == nullptr) return a;
  if (depth == 0) {
    backsub_block(a, l);
    return a;
  }
  const Node *const l00 = l->quarter[0][0], *const l10 = l->quarter[1][0],
                    *const l11 = l->quarter[1][1];
  a->quarter[0][0] = cilk_spawn backsub(depth - 1, a->quarter[0][0], l00);
  a->quarter[1][0] = backsub(depth - 1, a->quarter[1][0], l00);
  cilk_sync;
  a->quarter[0][1] = cilk_spawn subtract(depth - 1, false, a->quarter[0][0], l10, a->quarter[0][1]);
  a->quarter[1][1] = subtract(depth - 1, false, a->quarter[1][0], l10, a->quarter[1][1]);
  cilk_sync;
  a->quarter[0][1] = cilk_spawn backsub(depth - 1, a->quarter[0][1], l11);
  a->quarter[1][1] = backsub(depth - 1, a->quarter[1][1], l11);
  cilk_sync;
  return a;
}

static Node *cholesky(int depth, Node *a) {
  if (depth == 0) {
    cholesky_block(a);
    return a;
  }
  if (a->quarter[1][0] == nullptr) {
    a->quarter[0][0] = cilk_spawn cholesky(depth - 1, a->quarter[0][0]);
    a->quarter[1][1] = cholesky(depth - 1, a->quarter[1][1]);
    cilk_sync;
  } else {
    a->quarter[0][0] = cholesky(depth - 1, a->quarter[0][0]);
    a->quarter[1][0] = backsub(depth - 1, a->quarter[1][0], a->quarter[0][0]);
    a->quarter[1][1] =
        subtract(depth - 1, true, a->quarter[1][0], a->quarter[1][0], a->quarter[1][1]);
    a->quarter[1][1] = cholesky(depth - 1, a->quarter[1][1]);
  }
  return a;
}

static void solve(Sparse &input) { input.root = cholesky(input.depth, input.root); }

BENCHMARK(Sparse, solve)
