// uts with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

static long visit(const Tree &tree, State state, int height);

// The counts of the children lie in the frame, which has no more room than needed: not inlined, or each would have room for the root's.
template <int kRoom>
__attribute__((noinline)) static long visit_children(const Tree &tree, const State &state, int count, int height) {
  long room[kRoom], *const counts = room;
  tbb::task_group group;
  for (int i = 0; i < count; ++i)
    group.run([&tree, into = &counts[i], child = child_state(state, i), height] { *into = visit(tree, child, height + 1); });
  group.wait();
  long sum = 1;
  for (int i = 0; i < count; ++i) sum += counts[i];
  return sum;
}

static long visit(const Tree &tree, State state, int height) {
  const int count = tree.child_count(state, height);
  if (count == 0) return 1;
  if (count <= 8) return visit_children<8>(tree, state, count, height);
  if (count <= Tree::kMostChildren) return visit_children<Tree::kMostChildren>(tree, state, count, height);
  return visit_children<2000>(tree, state, count, height);
}

static void solve(Tree &input) { input.nodes = visit(input, input.root(), 0); }

BENCHMARK(Tree, solve)
