// How far the NUMA nodes of a machine are from each other: which are the nearest to a node, which
// come next, and so on.
//
// Part of a Topology (topology.h), built from a matrix such as the firmware's (SLIT). Immutable.
// Checked by tests/unit/policy_nearest_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace nopal::policy {

class NodeDistances {
 public:
  /// Not known.
  NodeDistances() = default;

  /// `matrix`: in row i the distances from node i. It need not be symmetric, and a node counts as
  /// the nearest to itself. nodes * nodes numbers in any unit.
  NodeDistances(std::uint32_t nodes, std::span<const std::uint64_t> matrix) : nodes_(nodes) {
    std::vector<std::uint64_t> classes;
    for (std::uint32_t i = 0; i < nodes; ++i)
      for (std::uint32_t j = 0; j < nodes; ++j)
        if (i != j) classes.push_back(matrix[i * nodes + j]);
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    count_ = static_cast<std::uint32_t>(classes.size());
    for (std::uint32_t i = 0; i < nodes; ++i) {
      for (std::uint32_t j = 0; j < nodes; ++j) {
        const auto place = std::lower_bound(classes.begin(), classes.end(), matrix[i * nodes + j]);
        class_of_.push_back(i == j ? 0 : static_cast<std::uint32_t>(place - classes.begin()) + 1);
        order_.push_back(j);
      }
      const auto key = [this, i, nodes](std::uint32_t node) {
        return std::pair(class_of(i, node), (node + nodes - i) % nodes);
      };
      std::sort(order_.end() - nodes, order_.end(),
                [&key](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    }
  }

  std::uint32_t nodes() const noexcept { return nodes_; }
  /// How many different distances there are between two nodes.
  std::uint32_t classes() const noexcept { return count_; }
  /// 0 from a node to itself, 1 to those at the least distance of all, up to classes().
  std::uint32_t class_of(std::uint32_t from, std::uint32_t to) const noexcept {
    return class_of_[from * nodes_ + to];
  }
  /// The i-th node as seen from one, which is the 0th. Nearest first; of those alike, the next by
  /// number first.
  std::uint32_t nth(std::uint32_t from, std::uint32_t i) const noexcept {
    return order_[from * nodes_ + i];
  }

 private:
  std::uint32_t nodes_ = 0, count_ = 0;
  std::vector<std::uint32_t> class_of_, order_;  // a row a node
};

}  // namespace nopal::policy
