/* knapsack: the most valuable set of items within a weight, by branch and bound. In C.
 * How much of the tree is cut off depends on the schedule, since all strands share the best value
 * found so far; the result does not. Checked against dynamic programming.
 *
 * matrix: args 22
 * matrix: chaos-args 14
 */

#include <cilk/cilk.h>

#include <stdatomic.h>
#include <stdlib.h>

#include "../support/check.h"

struct item {
  int value;
  int weight;
};

/* Only a bound: an old value costs time, not correctness, so relaxed order is enough. */
static _Atomic int best_so_far;

static void raise_best(int value) {
  int best = atomic_load_explicit(&best_so_far, memory_order_relaxed);
  while (best < value &&
         !atomic_compare_exchange_weak_explicit(&best_so_far, &best, value, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
}

static int by_density(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  long long difference = (long long)y->value * x->weight - (long long)x->value * y->weight;
  return difference < 0 ? -1 : difference > 0;
}

/* The best value of `items` (of which there are `count`, the densest first) in `capacity`, when
 * those taken so far are worth `value`; or less, if it cannot be more than the best one known. */
static int best_value(const struct item *items, int count, int capacity, int value) {
  if (capacity < 0) return -1;
  if (count == 0 || capacity == 0) {
    raise_best(value);
    return value;
  }
  double bound = value + (double)capacity * items->value / items->weight;
  if (bound < atomic_load_explicit(&best_so_far, memory_order_relaxed)) return -1;
  int without = cilk_spawn best_value(items + 1, count - 1, capacity, value);
  int with = best_value(items + 1, count - 1, capacity - items->weight, value + items->value);
  cilk_sync;
  return with > without ? with : without;
}

static int best_value_by_table(const struct item *items, int count, int capacity) {
  int *best = calloc((size_t)capacity + 1, sizeof *best);
  CHECK(best != NULL);
  for (int i = 0; i < count; ++i) {
    for (int room = capacity; room >= items[i].weight; --room) {
      int with = best[room - items[i].weight] + items[i].value;
      if (with > best[room]) best[room] = with;
    }
  }
  int result = best[capacity];
  free(best);
  return result;
}

int main(int argc, char **argv) {
  enum { kMaxItems = 64 };
  long count = size_argument(argc, argv, 30);
  CHECK(count > 0 && count <= kMaxItems);
  struct item items[kMaxItems];
  unsigned long random = 6;
  int weight = 0;
  for (int i = 0; i < count; ++i) {
    items[i].weight = 10 + (int)(next_random(&random) % 90);
    items[i].value = items[i].weight + (int)(next_random(&random) % 20);
    weight += items[i].weight;
  }
  qsort(items, (size_t)count, sizeof items[0], by_density);
  int capacity = weight / 2;
  int best = best_value(items, (int)count, capacity, 0);
  CHECK_EQ(best, best_value_by_table(items, (int)count, capacity));
  CHECK_EQ(best, atomic_load(&best_so_far));
  printf("knapsack of %ld items: %d\n", count, best);
  return 0;
}
