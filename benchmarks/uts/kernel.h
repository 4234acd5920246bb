// uts: unbalanced tree search (Olivier et al., LCPC 2006): counts the nodes of a tree that is made
// by hashing as it is walked.
//
// `size` 1: tree T1, geometric, fixed, root seed 19, branching 4, depth 10: 4,130,071 nodes. 3:
// tree T3, binomial, root seed 42, 2,000 children of the root, then 8 with probability 0.124875:
// 4,112,897 nodes, 1,572 deep. 0: T1 cut at depth 5, for quick checks.
#ifndef BENCHMARKS_UTS_KERNEL_H
#define BENCHMARKS_UTS_KERNEL_H

#include <cmath>

#include "../support/program.h"
#include "sha1.h"

/// What a node knows of its tree.
struct Tree {
  explicit Tree(long size) : name(size), is_binomial(size == 3), depth(size == 0 ? 5 : 10) {}

  int child_count(const State &state, int height) const {
    if (is_binomial) return height == 0 ? 2000 : state.uniform() < 0.124875 ? 8 : 0;
    if (height >= depth) return 0;
    const int count =
        static_cast<int>(std::floor(std::log(1 - state.uniform()) / std::log(1 - 1 / (1 + 4.0))));
    return count < kMostChildren ? count : kMostChildren;
  }
  State root() const { return root_state(is_binomial ? 42 : 19); }

  std::string result() const {
    const long expected = name == 1 ? 4130071 : name == 3 ? 4112897 : nodes;
    return nodes == expected && nodes > 0 ? bench::text("T%ld: %ld nodes", name, nodes) : "";
  }

  static constexpr int kMostChildren = 100;
  long name;
  bool is_binomial;
  int depth;
  long nodes = -1;
};

// What each variant defines: counts the nodes of `count` children. Their counts lie in the frame,
// which has no more room than needed: not inlined, or each would have room for the root's.
template <int kRoom>
static long visit_children(const Tree &tree, const State &state, int count, int height);

static long visit(const Tree &tree, State state, int height) {
  const int count = tree.child_count(state, height);
  if (count == 0) return 1;
  if (count <= 8) return visit_children<8>(tree, state, count, height);
  if (count <= Tree::kMostChildren)
    return visit_children<Tree::kMostChildren>(tree, state, count, height);
  return visit_children<2000>(tree, state, count, height);
}

#endif
