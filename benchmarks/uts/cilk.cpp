// uts with Cilk's keywords; with -DCILK_SERIAL its serial elision.
#include "../support/cilk.h"
#include "kernel.h"

template <int kRoom>
__attribute__((noinline)) static long visit_children(const Tree &tree, const State &state,
                                                     int count, int height) {
  long room[kRoom], *const counts = room;
  for (int i = 0; i < count; ++i)
    counts[i] = cilk_spawn visit(tree, child_state(state, i), height + 1);
  cilk_sync;
  long sum = 1;
  for (int i = 0; i < count; ++i) sum += counts[i];
  return sum;
}

static void solve(Tree &input) { input.nodes = visit(input, input.root(), 0); }

BENCHMARK(Tree, solve)
