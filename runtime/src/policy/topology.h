// Which workers are near each other: groups within groups, as caches, NUMA nodes and packages are.
//
// Built by whoever knows the machine: the simulator from a list of numbers, the runtime (in a later
// step) from hwloc. Immutable, shared by all workers. Checked by
// tests/unit/policy_nearest_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nopal::policy {

/// Workers stand at positions so that each group is a range of them. Level 0 has the smallest
/// groups; the last level is one group of all.
class Topology {
 public:
  struct Group {
    std::uint32_t begin, end;  // positions
    std::uint32_t size() const noexcept { return end - begin; }
  };

  /// All are as near to each other.
  static Topology flat(std::uint32_t workers) { return Topology(workers, {}); }

  /// `workers` in compact order on a machine of equal parts: {4, 2, 16} is 4 packages of 2 nodes of
  /// 16 cores. Workers beyond one a core begin a machine of the same kind.
  static Topology of_parts(std::span<const std::uint32_t> parts, std::uint32_t workers) {
    std::vector<std::uint32_t> sizes;
    std::uint32_t size = 1;
    for (std::size_t i = parts.size(); i > 0; --i) {
      size *= parts[i - 1];
      if (size > 1 && size < workers) sizes.push_back(size);
    }
    return Topology(workers, std::move(sizes));
  }

  std::uint32_t workers() const noexcept { return workers_; }
  std::uint32_t levels() const noexcept { return static_cast<std::uint32_t>(sizes_.size()) + 1; }

  /// The workers at a distance of at most `level` from the one at `position`, itself included.
  Group group(std::uint32_t level, std::uint32_t position) const noexcept {
    if (level + 1 >= levels()) return {0, workers_};
    const std::uint32_t size = sizes_[level], begin = position - position % size;
    return {begin, begin + size < workers_ ? begin + size : workers_};
  }

  /// The lowest level at which both are in one group. 0 for a worker and itself.
  std::uint32_t distance(std::uint32_t a, std::uint32_t b) const noexcept {
    std::uint32_t level = 0;
    while (level + 1 < levels() && a / sizes_[level] != b / sizes_[level]) ++level;
    return level;
  }

  /// The k-th of the others, nearest first. k < workers() - 1.
  std::uint32_t by_distance(std::uint32_t self, std::uint32_t k) const noexcept {
    Group inner{self, self + 1};
    for (std::uint32_t level = 0;; ++level) {
      const Group outer = group(level, self);
      const std::uint32_t ring = outer.size() - inner.size();
      if (k < ring) {  // begin after the inner group and come round to it
        const std::uint32_t place = inner.end + k;
        return place < outer.end ? place : outer.begin + (place - outer.end);
      }
      k -= ring;
      inner = outer;
    }
  }

 private:
  Topology(std::uint32_t workers, std::vector<std::uint32_t> sizes)
      : workers_(workers), sizes_(std::move(sizes)) {}

  std::uint32_t workers_;
  std::vector<std::uint32_t> sizes_;  // of the groups, smallest first; each divides the next
};

}  // namespace nopal::policy
