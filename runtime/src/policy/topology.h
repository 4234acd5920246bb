// Which workers are near each other: groups within groups, as caches, NUMA nodes and packages are.
//
// Built by whoever knows the machine: the simulator from a list of numbers, the runtime from hwloc
// (worker/machine.h). Immutable, shared by all workers. Checked by
// tests/unit/policy_nearest_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace nopal::policy {

/// How workers lie on a machine of equal parts. Each group is an arithmetic progression of them: in
/// compact order neighbours by number, in spread order those that leave the same rest. Level 0 has
/// the smallest groups; the last level is one group of all. Functions with a parameter `workers`
/// leave out those from that number on.
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
  /// order they go round again.
  static Topology of_parts(std::span<const std::uint32_t> parts, std::uint32_t workers,
                           Order order = Order::kCompact) {
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
    return Topology(workers, order, std::move(steps), {parts.begin(), parts.end()});
  }

  std::uint32_t workers() const noexcept { return workers_; }
  std::uint32_t levels() const noexcept { return static_cast<std::uint32_t>(steps_.size()) + 1; }

  /// The workers at a distance of at most `level` from `self`, itself included.
  Group group(std::uint32_t level, std::uint32_t self, std::uint32_t workers) const noexcept {
    if (level + 1 >= levels()) return {0, workers};
    const std::uint32_t step = steps_[level];
    if (order_ == Order::kSpread) return {self % step, workers, step};
    const std::uint32_t begin = self - self % step;
    return {begin, begin + step < workers ? begin + step : workers};
  }
  Group group(std::uint32_t level, std::uint32_t self) const noexcept {
    return group(level, self, workers_);
  }

  /// The lowest level at which both are in one group. 0 for a worker and itself.
  std::uint32_t distance(std::uint32_t a, std::uint32_t b) const noexcept {
    std::uint32_t level = 0;
    while (level + 1 < levels() && class_of(a, level) != class_of(b, level)) ++level;
    return level;
  }

  /// The k-th of the others, nearest first. k < workers - 1.
  std::uint32_t by_distance(std::uint32_t self, std::uint32_t k,
                            std::uint32_t workers) const noexcept {
    Group inner{self, self + 1};
    for (std::uint32_t level = 0;; ++level) {
      const Group outer = group(level, self, workers);
      const std::uint32_t ring = outer.size() - inner.size();
      if (k < ring) {
        if (order_ == Order::kSpread && level > 0) return outer.at(beside(outer, inner, k));
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

  std::uint32_t class_of(std::uint32_t worker, std::uint32_t level) const noexcept {
    return order_ == Order::kSpread ? worker % steps_[level] : worker / steps_[level];
  }
  /// In spread order: the index in `outer` of the k-th that is not in `inner`, one of every few.
  static std::uint32_t beside(const Group &outer, const Group &inner, std::uint32_t k) noexcept {
    const std::uint32_t every = inner.step / outer.step;
    const std::uint32_t first = outer.index_of(inner.begin), rest = k % (every - 1);
    return k / (every - 1) * every + (rest < first ? rest : rest + 1);
  }

  std::uint32_t workers_;
  Order order_;
  // For each level but the last, nearest first. Compact: the size of its groups; spread: how many
  // groups there are. Each divides, or is divided by, the next.
  std::vector<std::uint32_t> steps_;
  std::vector<std::uint32_t> parts_;
};

}  // namespace nopal::policy
