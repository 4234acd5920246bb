// Which workers are near each other: groups within groups, as caches, NUMA nodes and packages are.
//
// Built by whoever knows the machine: the simulator from a list of numbers, the runtime from hwloc
// (worker/machine.h). Immutable, shared by all workers. Checked by
// tests/unit/policy_nearest_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "node_distances.h"

namespace nopal::policy {

/// How workers lie on a machine of equal parts. Each group is an arithmetic progression of them: in
/// compact order neighbours by number, in spread order those that leave the same rest. Level 0 has
/// the smallest groups; the last level is one group of all. Functions with a parameter `workers`
/// leave out those from that number on.
///
/// Where NUMA nodes lie at different distances, as in a ring, what is near depends on who asks.
/// Then levels *of nodes* stand between a node's level and the machine's: those at the least
/// distance, those up to the next one, and so on. They are unions of groups.
class Topology {
 public:
  enum class Order : std::uint8_t {
    kCompact,  // worker 1 is beside worker 0
    kSpread,   // worker 1 is as far from worker 0 as the machine allows
  };

  struct Group {
    std::uint32_t begin, end, step = 1;
    std::uint32_t size() const noexcept { return (end - begin + step - 1) / step; }
    std::uint32_t at(std::uint32_t index) const noexcept { return begin + index * step; }
    std::uint32_t index_of(std::uint32_t worker) const noexcept { return (worker - begin) / step; }
  };

  /// All are as near to each other.
  static Topology flat(std::uint32_t workers) { return Topology(workers, Order::kCompact, {}, {}); }

  /// `workers` on a machine of equal parts: {4, 2, 16} is 4 packages of 2 nodes of 16 cores.
  /// Workers beyond one a core: in compact order they begin a machine of the same kind, in spread
  /// order they go round again. `distances`: a matrix, row by row, between the parts of one depth,
  /// which are the NUMA nodes; not used if a node has one core, or all are as far from each other.
  static Topology of_parts(std::span<const std::uint32_t> parts, std::uint32_t workers,
                           Order order = Order::kCompact,
                           std::span<const std::uint64_t> distances = {}) {
    std::vector<std::uint32_t> steps;
    std::uint32_t size = 1;
    if (order == Order::kCompact) {
      for (std::size_t i = parts.size(); i > 0; --i) {
        size *= parts[i - 1];
        if (size > 1 && size < workers) steps.push_back(size);
      }
    } else {
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        size *= parts[i];
        if (size > 1 && size < workers) steps.insert(steps.begin(), size);
      }
    }
    Topology topology(workers, order, std::move(steps), {parts.begin(), parts.end()});
    if (!distances.empty()) topology.add_distances(distances);
    return topology;
  }

  std::uint32_t workers() const noexcept { return workers_; }
  std::uint32_t levels() const noexcept {
    return static_cast<std::uint32_t>(steps_.size()) + 1 + levels_of_nodes();
  }
  bool is_of_nodes(std::uint32_t level) const noexcept {
    return level > node_step_ && level <= node_step_ + levels_of_nodes();
  }

  /// The workers at a distance of at most `level` from `self`, itself included. Not for a level of
  /// nodes.
  Group group(std::uint32_t level, std::uint32_t self, std::uint32_t workers) const noexcept {
    return group_of_step(level > node_step_ ? level - levels_of_nodes() : level, self, workers);
  }
  Group group(std::uint32_t level, std::uint32_t self) const noexcept {
    return group(level, self, workers_);
  }

  /// How many workers are at a distance of at most `level` from `self`, itself included. Cost: a
  /// division or two; at a level of nodes, one a node.
  std::uint32_t size(std::uint32_t level, std::uint32_t self,
                     std::uint32_t workers) const noexcept {
    if (!is_of_nodes(level)) return group(level, self, workers).size();
    const std::uint32_t from = node_of(self);
    std::uint32_t size = 0;
    for (std::uint32_t i = 0; i < distances_.nodes(); ++i) {
      const std::uint32_t node = distances_.nth(from, i);
      if (distances_.class_of(from, node) > level - node_step_) break;
      size += workers_of(node, self, workers).size();
    }
    return size;
  }
  /// The k-th of them without `self`, each once, in no order. k < size - 1. Cost: as size().
  std::uint32_t other(std::uint32_t level, std::uint32_t self, std::uint32_t k,
                      std::uint32_t workers) const noexcept {
    if (is_of_nodes(level)) return by_distance(self, k, workers);
    const Group all = group(level, self, workers);
    return all.at(k < all.index_of(self) ? k : k + 1);
  }

  /// The lowest level at which `b` is near `a`. 0 for a worker and itself.
  std::uint32_t distance(std::uint32_t a, std::uint32_t b) const noexcept {
    std::uint32_t step = 0;
    while (step < steps_.size() && class_of(a, step) != class_of(b, step)) ++step;
    if (step <= node_step_) return step;
    if (step == node_step_ + 1 && levels_of_nodes() > 0)  // on one machine
      return node_step_ + distances_.class_of(node_of(a), node_of(b));
    return step + levels_of_nodes();
  }

  /// The k-th of the others, nearest first. k < workers - 1.
  std::uint32_t by_distance(std::uint32_t self, std::uint32_t k,
                            std::uint32_t workers) const noexcept {
    Group inner{self, self + 1};
    for (std::uint32_t step = 0;; ++step) {
      const Group outer = group_of_step(step, self, workers);
      const std::uint32_t ring = outer.size() - inner.size();
      if (k < ring) {
        if (step == node_step_ + 1 && levels_of_nodes() > 0)
          return on_other_nodes(self, k, workers);
        if (order_ == Order::kSpread && step > 0) return outer.at(beside(outer, inner, k));
        // begin after the inner group and come round to it
        const std::uint32_t place = outer.index_of(inner.begin) + inner.size() + k;
        return outer.at(place < outer.size() ? place : place - outer.size());
      }
      k -= ring;
      inner = outer;
    }
  }
  std::uint32_t by_distance(std::uint32_t self, std::uint32_t k) const noexcept {
    return by_distance(self, k, workers_);
  }

  /// On which unit of the machine the worker is, as units are numbered in compact order.
  std::uint32_t unit_of(std::uint32_t worker) const noexcept {
    std::uint32_t units = 1, unit = 0;
    for (const std::uint32_t part : parts_) units *= part;
    worker %= units;
    if (order_ == Order::kCompact) return worker;
    for (const std::uint32_t part : parts_) {
      unit = unit * part + worker % part;
      worker /= part;
    }
    return unit;
  }

 private:
  Topology(std::uint32_t workers, Order order, std::vector<std::uint32_t> steps,
           std::vector<std::uint32_t> parts)
      : workers_(workers), order_(order), steps_(std::move(steps)), parts_(std::move(parts)) {}

  std::uint32_t class_of(std::uint32_t worker, std::uint32_t step) const noexcept {
    return order_ == Order::kSpread ? worker % steps_[step] : worker / steps_[step];
  }
  Group group_of_step(std::uint32_t index, std::uint32_t self,
                      std::uint32_t workers) const noexcept {
    if (index >= steps_.size()) return {0, workers};
    const std::uint32_t step = steps_[index];
    if (order_ == Order::kSpread) return {self % step, workers, step};
    const std::uint32_t begin = self - self % step;
    return {begin, begin + step < workers ? begin + step : workers};
  }

  /// Levels of nodes come in place of those between a node and the machine.
  void add_distances(std::span<const std::uint64_t> matrix) {
    std::uint32_t nodes = 1, cores = 1;  // cores of a node
    for (const std::uint32_t part : parts_)
      (std::size_t{nodes} * nodes < matrix.size() ? nodes : cores) *= part;
    const auto step =
        std::find(steps_.begin(), steps_.end(), order_ == Order::kSpread ? nodes : cores);
    if (step == steps_.end() || std::size_t{nodes} * nodes != matrix.size()) return;
    std::vector<std::uint64_t> of_groups;  // which spread order numbers otherwise
    const auto node_of_group = [&](std::uint32_t group) {
      return order_ == Order::kSpread ? unit_of(group) / cores : group;
    };
    for (std::uint32_t i = 0; i < nodes; ++i)
      for (std::uint32_t j = 0; j < nodes; ++j)
        of_groups.push_back(matrix[node_of_group(i) * nodes + node_of_group(j)]);
    NodeDistances distances(nodes, of_groups);
    if (distances.classes() < 2) return;
    distances_ = std::move(distances);
    node_step_ = static_cast<std::uint32_t>(step - steps_.begin());
    std::erase_if(steps_, [this, nodes, cores](std::uint32_t size) {
      return order_ == Order::kSpread ? size < nodes : size > cores && size < cores * nodes;
    });
  }
  /// The farthest nodes are near at the machine's level.
  std::uint32_t levels_of_nodes() const noexcept {
    return distances_.classes() == 0 ? 0 : distances_.classes() - 1;
  }
  /// On which node a worker is, as groups are numbered. Only with distances, as the next two.
  std::uint32_t node_of(std::uint32_t worker) const noexcept {
    return class_of(worker, node_step_) % distances_.nodes();
  }
  /// Those on a node of the machine on which `self` is.
  Group workers_of(std::uint32_t node, std::uint32_t self, std::uint32_t workers) const noexcept {
    const std::uint32_t step = steps_[node_step_];
    if (order_ == Order::kSpread) return {std::min(node, workers), workers, step};
    const std::uint32_t begin = self - self % (step * distances_.nodes()) + node * step;
    return {std::min(begin, workers), std::min(begin + step, workers)};
  }
  /// The k-th worker on another node of its machine, nearest first.
  std::uint32_t on_other_nodes(std::uint32_t self, std::uint32_t k,
                               std::uint32_t workers) const noexcept {
    for (std::uint32_t i = 1; i < distances_.nodes(); ++i) {
      const Group group = workers_of(distances_.nth(node_of(self), i), self, workers);
      if (k < group.size()) return group.at(k);
      k -= group.size();
    }
    return steps_[node_step_] * distances_.nodes() + k;  // more `workers` than the topology has
  }

  /// In spread order: the index in `outer` of the k-th that is not in `inner`, one of every few.
  static std::uint32_t beside(const Group &outer, const Group &inner, std::uint32_t k) noexcept {
    const std::uint32_t every = inner.step / outer.step;
    const std::uint32_t first = outer.index_of(inner.begin), rest = k % (every - 1);
    return k / (every - 1) * every + (rest < first ? rest : rest + 1);
  }

  std::uint32_t workers_;
  Order order_;
  // For each level that has groups, but the last, nearest first. Compact: the size of its groups;
  // spread: how many groups there are. Each divides, or is divided by, the next.
  std::vector<std::uint32_t> steps_;
  std::vector<std::uint32_t> parts_;
  NodeDistances distances_;      // between groups of the step below; or not known
  std::uint32_t node_step_ = 0;  // whose groups are nodes; the levels of nodes come after it
};

}  // namespace nopal::policy
