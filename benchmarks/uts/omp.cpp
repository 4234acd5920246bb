// uts with OpenMP tasks.
#include "../support/omp.h"
#include "kernel.h"

template <int kRoom>
__attribute__((noinline)) static long visit_children(const Tree &tree, const State &state,
                                                     int count, int height) {
  long room[kRoom], *const counts = room;
  for (int i = 0; i < count; ++i) {
    const State child = child_state(state, i);
#pragma omp task shared(tree) firstprivate(child, counts, i, height)
    counts[i] = visit(tree, child, height + 1);
  }
#pragma omp taskwait
  long sum = 1;
  for (int i = 0; i < count; ++i) sum += counts[i];
  return sum;
}

static void solve(Tree &input) { input.nodes = visit(input, input.root(), 0); }

BENCHMARK(Tree, solve)
