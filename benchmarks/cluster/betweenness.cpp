// Betweenness centrality across ranks, of an R-MAT graph: for each vertex, how many shortest paths
// lead over it.
//
//   mpirun -n 2 betweenness 10        a graph of 2^10 vertices and 2^13 edges
//
// Each rank makes the whole graph; the loop runs over the sources. References: Chakrabarti, Zhan,
// Faloutsos, "R-MAT", SDM 2004; Brandes, "A faster algorithm for betweenness centrality", 2001.
// Dependencies are summed in units of 2^-20, so the sum does not depend on the order.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cilk/cluster.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "finish.h"

namespace {

struct Graph {
  explicit Graph(int scale) : first((std::size_t{1} << scale) + 1) {
    const std::size_t vertices = std::size_t{1} << scale;
    std::mt19937_64 random(2);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::size_t i = 0; i < 8 * vertices; ++i) {
      std::uint32_t from = 0, to = 0;
      for (int bit = 0; bit < scale; ++bit) {
        // The quadrants' probabilities are 0.57, 0.19, 0.19, 0.05.
        const auto drawn = static_cast<unsigned>(random() % 100);
        from = 2 * from + (drawn >= 76 ? 1 : 0);
        to = 2 * to + ((drawn >= 57 && drawn < 76) || drawn >= 95 ? 1 : 0);
      }
      if (from == to) continue;
      edges.emplace_back(from, to);
      edges.emplace_back(to, from);
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (const auto &[from, to] : edges) {
      ++first[from + 1];
      neighbours.push_back(to);
    }
    for (std::size_t v = 0; v < vertices; ++v) first[v + 1] += first[v];
  }
  std::size_t vertices() const { return first.size() - 1; }

  std::vector<std::size_t> first;  // of each vertex's neighbours
  std::vector<std::uint32_t> neighbours;
};

using Scores = std::vector<std::int64_t>;
struct Add {
  Scores identity() const { return {}; }
  void reduce(Scores &left, Scores &right) const {
    if (left.empty()) left.swap(right);
    for (std::size_t i = 0; i < right.size(); ++i) left[i] += right[i];
  }
};

// Adds what the shortest paths from `source` lead over.
void add_paths(const Graph &graph, std::uint32_t source, Scores &scores) {
  const std::size_t n = graph.vertices();
  scores.resize(n);
  std::vector<int> distance(n, -1);
  std::vector<double> paths(n), dependency(n);
  std::vector<std::uint32_t> order{source};
  distance[source] = 0;
  paths[source] = 1;
  const auto for_neighbours = [&graph](std::uint32_t v, const auto &visit) {
    for (std::size_t i = graph.first[v]; i < graph.first[v + 1]; ++i) visit(graph.neighbours[i]);
  };
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::uint32_t v = order[at];
    for_neighbours(v, [&](std::uint32_t w) {
      if (distance[w] < 0) {
        distance[w] = distance[v] + 1;
        order.push_back(w);
      }
      if (distance[w] == distance[v] + 1) paths[w] += paths[v];
    });
  }
  for (std::size_t at = order.size(); at-- > 1;) {
    const std::uint32_t w = order[at];
    for_neighbours(w, [&](std::uint32_t v) {
      if (distance[v] == distance[w] - 1)
        dependency[v] += paths[v] / paths[w] * (1 + dependency[w]);
    });
    scores[w] += std::llround(dependency[w] * 0x1p20);
  }
}

}  // namespace

int main(int argc, char **argv) {
  const int scale = argc > 1 ? std::atoi(argv[1]) : 8;
  if (scale < 1 || scale > 20)
    return std::fprintf(stderr, "usage: %s SCALE, from 1 to 20\n", argv[0]), 2;
  const Graph graph(scale);
  cilk::cluster ranks(argc, argv);
  const double begin = MPI_Wtime();
  const auto scores = cilk::cluster_for<Scores, Add>(
      ranks, std::uint32_t{0}, static_cast<std::uint32_t>(graph.vertices()),
      [&graph](std::int64_t source, Scores &mine) {
        add_paths(graph, static_cast<std::uint32_t>(source), mine);
      });
  const double seconds = MPI_Wtime() - begin;
  const auto most = std::max_element(scores.begin(), scores.end());
  std::int64_t sum = 0;
  for (const std::int64_t each : scores) sum += each;
  return finish(ranks,
                "betweenness " + std::to_string(scale) + ": vertex " +
                    std::to_string(most - scores.begin()) + " has most, sum " + std::to_string(sum),
                true, seconds);
}
