// knapsack: the most valuable set of `size` items within a weight, by branch and bound without a
// cut-off. All strands share the best value so far, so the schedule decides how much is cut off.
// With two workers the time says little; the result does not change.
#ifndef BENCHMARKS_KNAPSACK_KERNEL_H
#define BENCHMARKS_KNAPSACK_KERNEL_H

#include <algorithm>
#include <atomic>
#include <vector>

#include "../support/program.h"

struct Item {
  int value, weight;
};

// Only a bound: an old value costs time, not correctness, so relaxed order is enough.
inline std::atomic<int> best_so_far{0};

inline int record(int value) {
  int best = best_so_far.load(std::memory_order_relaxed);
  while (best < value && !best_so_far.compare_exchange_weak(best, value, std::memory_order_relaxed,
                                                            std::memory_order_relaxed)) {
  }
  return value;
}

/// Whether even with a part of an item the rest cannot beat the best value known.
inline bool is_hopeless(const Item *items, int capacity, int value) {
  return value + static_cast<double>(capacity) * items->value / items->weight <
         best_so_far.load(std::memory_order_relaxed);
}

struct Knapsack {
  explicit Knapsack(long size) : items(static_cast<std::size_t>(size)) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const int weight = 1000 + 10 * static_cast<int>(bench::mixed(i) % 900);
      items[i] = {weight + 100 + static_cast<int>(bench::mixed(1000 + i) % 6),
                  weight};  // strongly correlated: hard
      capacity += weight / 2;
    }
    std::sort(items.begin(), items.end(),
              [](Item a, Item b) { return a.value * b.weight > b.value * a.weight; });
  }
  int count() const { return static_cast<int>(items.size()); }

  /// Checked against dynamic programming.
  std::string result() const {
    std::vector<int> best_of(static_cast<std::size_t>(capacity) + 1);
    for (const Item item : items)
      for (int room = capacity; room >= item.weight; --room)
        best_of[static_cast<std::size_t>(room)] =
            std::max(best_of[static_cast<std::size_t>(room)],
                     best_of[static_cast<std::size_t>(room - item.weight)] + item.value);
    return best == best_of.back() ? bench::text("knapsack %d: %d", count(), best) : "";
  }

  std::vector<Item> items;
  int capacity = 0, best = -1;
};

#endif
