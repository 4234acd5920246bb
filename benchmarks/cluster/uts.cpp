// uts across ranks: the published trees T1, T3, T1L and T1XL, whose sizes are checked.
//
//   mpirun -n 2 uts T1           or T3, T1L, T1XL
//   smpirun ... uts T1L 2e-6     with SimGrid: each node is charged two microseconds
//
// Nodes wait in a bag; a step visits one of them. Half of the bag is the half that waits longest:
// nodes near the root, with most below them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cilk/cluster.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../uts/sha1.h"
#include "finish.h"

namespace {

/// A published tree (Olivier et al., LCPC 2006).
struct Tree {
  const char *name;
  bool is_binomial;
  int depth;
  std::uint32_t seed;
  long nodes;

  int child_count(const State &state, int height) const {
    if (is_binomial) return height == 0 ? 2000 : state.uniform() < 0.124875 ? 8 : 0;
    if (height >= depth) return 0;
    const double drawn = std::log(1 - state.uniform()) / std::log(1 - 1 / (1 + 4.0));
    return drawn < 100 ? static_cast<int>(std::floor(drawn)) : 100;
  }
  /// Below a node of this height, itself included.
  double expected_nodes(int height) const {
    return is_binomial ? 1000 : std::pow(4.0, depth - height);
  }
};
constexpr Tree kTrees[] = {{"T1", false, 10, 19, 4130071},
                           {"T3", true, 0, 42, 4112897},
                           {"T1L", false, 13, 29, 102181082},
                           {"T1XL", false, 15, 29, 1635119272},
                           {"short", false, 5, 19, 3987}};
Tree tree = kTrees[0];

struct Node {
  State state;
  int height;
};

class Nodes {
 public:
  using result_type = long;

  static Nodes root() {
    Nodes bag;
    bag.nodes_.push_back({root_state(tree.seed), 0});
    return bag;
  }
  bool empty() const { return nodes_.empty(); }
  std::size_t process(std::size_t steps, long &count) {
    std::size_t made = 0;
    for (; made < steps && !nodes_.empty(); ++made) {
      const Node node = nodes_.back();
      nodes_.pop_back();
      const int children = tree.child_count(node.state, node.height);
      for (int i = 0; i < children; ++i)
        nodes_.push_back({child_state(node.state, i), node.height + 1});
    }
    count += static_cast<long>(made);
    return made;
  }
  // Each node, from the root on, goes to the half that has fewer nodes to expect below. Work that
  // is done sooner than a message travels stays.
  Nodes split() {
    Nodes half;
    double given = 0, kept = 0;
    for (const Node &each : nodes_) kept += tree.expected_nodes(each.height);
    if (nodes_.size() < 2 || kept < kLeastNodes) return half;
    std::sort(nodes_.begin(), nodes_.end(),
              [](const Node &a, const Node &b) { return a.height < b.height; });
    kept = 0;
    std::vector<Node> mine;
    for (const Node &each : nodes_) {
      const double expected = tree.expected_nodes(each.height);
      if (given <= kept)
        half.nodes_.push_back(each), given += expected;
      else
        mine.push_back(each), kept += expected;
    }
    nodes_.swap(mine);
    return half;
  }
  void merge(Nodes other) {
    nodes_.insert(nodes_.begin(), other.nodes_.begin(), other.nodes_.end());
  }
  static void reduce(long &left, long &right) { left += right; }
  void save(cilk::wire &out) const { put(out, nodes_); }
  void load(cilk::wire &in) { get(in, nodes_); }

 private:
  static constexpr double kLeastNodes = 100;
  std::vector<Node> nodes_;
};

}  // namespace

int main(int argc, char **argv) {
  const std::string name = argc > 1 ? argv[1] : "T1";
  bool is_known = false;
  for (const Tree &each : kTrees)
    if (name == each.name) tree = each, is_known = true;
  if (!is_known)
    return std::fprintf(stderr, "usage: %s T1|T3|T1L|T1XL|short [seconds a node [a chunk]]\n",
                        argv[0]),
           2;
  cilk::cluster_options options;
  if (argc > 2) options.step_seconds = std::atof(argv[2]);
  if (argc > 3) options.chunk_seconds = std::atof(argv[3]);
  cilk::cluster ranks(argc, argv, options);
  const double begin = MPI_Wtime();
  const long nodes = ranks.run(ranks.rank() == 0 ? Nodes::root() : Nodes());
  const double seconds = MPI_Wtime() - begin;
  return finish(ranks, std::string(tree.name) + ": " + std::to_string(nodes) + " nodes",
                nodes == tree.nodes, seconds);
}
