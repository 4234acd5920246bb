// uts with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

template <int kRoom>
__attribute__((noinline)) static long visit_children(const Tree &tree, const State &state,
                                                     int count, int height) {
  long room[kRoom], *const counts = room;
  tbb::task_group group;
  for (int i = 0; i < count; ++i)
    group.run([&tree, into = &counts[i], child = child_state(state, i), height] {
      *into = visit(tree, child, height + 1);
    });
  group.wait();
  long sum = 1;
  for (int i = 0; i < count; ++i) sum += counts[i];
  return sum;
}

static void solve(Tree &input) { input.nodes = visit(input, input.root(), 0); }

BENCHMARK(Tree, solve)
