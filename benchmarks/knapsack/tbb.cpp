// knapsack with oneTBB's task_group.
#include "../support/tbb.h"
#include "kernel.h"

// The best value of `items` in `capacity`, when those taken so far are worth `value`; less if it
// cannot be more than the best known.
static int best_value(const Item *items, int count, int capacity, int value) {
  if (capacity < 0) return -1;
  if (count == 0 || capacity == 0) return record(value);
  if (is_hopeless(items, capacity, value)) return -1;
  int with;
  tbb::task_group group;
  group.run([=, &with] {
    with = best_value(items + 1, count - 1, capacity - items->weight, value + items->value);
  });
  const int without = best_value(items + 1, count - 1, capacity, value);
  group.wait();
  return std::max(with, without);
}

static void solve(Knapsack &input) {
  input.best = best_value(input.items.data(), input.count(), input.capacity, 0);
}

BENCHMARK(Knapsack, solve)
