// Shared memory: what the parent wrote before a spawn is seen by the child, what children wrote is
// seen after the sync, and atomics and volatile objects among spawns are neither cached nor moved
// across.

#include <cilk/cilk.h>

#include <atomic>
#include <memory>
#include <vector>

#include "../support/check.h"

namespace {

long plain_global;
volatile long volatile_global;
std::atomic<long> atomic_global;

NOINLINE void bump_plain() { ++plain_global; }
NOINLINE void bump_volatile() { volatile_global = volatile_global + 1; }
NOINLINE void bump_atomic() {
  linger();
  atomic_global.fetch_add(1, std::memory_order_relaxed);
}

// A global that children change: no value read before the sync may be used after it.
void globals() {
  plain_global = 10;
  volatile_global = 20;
  atomic_global.store(30);
  for (int i = 0; i < 10; ++i) {
    const long plain_before = plain_global, volatile_before = volatile_global;
    cilk_spawn bump_plain();
    cilk_spawn bump_volatile();
    cilk_spawn bump_atomic();
    cilk_spawn bump_atomic();
    cilk_sync;
    CHECK_EQ(plain_global, plain_before + 1);
    CHECK_EQ(volatile_global, volatile_before + 1);
  }
  printf("globals: %ld %ld %ld\n", plain_global, static_cast<long>(volatile_global),
         atomic_global.load());
}

// A local whose address a child has: stores of the parent before the spawn, of the child, and of
// the parent after the sync.
long handed_back_and_forth(long n) {
  long value = n;
  for (int i = 0; i < 8; ++i) {
    value *= 3;
    cilk_spawn [&value] { value += 1; }();
    cilk_sync;
    value %= 1000003;
    const long seen = value;
    cilk_spawn [&value, seen] {
      CHECK_EQ(value, seen);
      linger();
      value = seen + 2;
    }();
    cilk_sync;
    CHECK_EQ(value, seen + 2);
  }
  return value;
}

// Locals that only the continuation changes while a child runs, beside one that only the child
// changes.
long side_by_side(long n) {
  long child = 0, parent = 0;
  cilk_spawn [&child, n] {
    for (long i = 0; i < n; ++i) child += i;
    linger();
  }();
  for (long i = 0; i < n; ++i) parent -= i;
  cilk_sync;
  return child * 1000 + parent;
}

// A list built by a child at the left and by the continuation at the right, linked after the sync.
struct Node {
  long value;
  std::unique_ptr<Node> left, right;
};
std::unique_ptr<Node> build(long begin, long end) {
  if (begin == end) return nullptr;
  const long middle = begin + (end - begin) / 2;
  auto node = std::make_unique<Node>();
  node->value = middle;
  node->left = cilk_spawn build(begin, middle);
  node->right = build(middle + 1, end);
  cilk_sync;
  return node;
}
long weigh(const Node *node, long depth) {
  if (node == nullptr) return 0;
  long left = cilk_spawn weigh(node->left.get(), depth + 1);
  long right = weigh(node->right.get(), depth + 1);
  cilk_sync;
  return left + right + node->value * depth;
}

// Children that wait for each other through atomics would deadlock in the serial elision, but a
// child may signal the continuation that runs after it, and does in every schedule.
long signalled(long n) {
  std::atomic<long> ready{0};
  std::vector<long> data(static_cast<std::size_t>(n));
  for (long i = 0; i < n; ++i) {
    cilk_spawn [&ready, &data, i] {
      data[static_cast<std::size_t>(i)] = i * i;
      ready.fetch_add(1, std::memory_order_release);
    }();
  }
  cilk_sync;
  CHECK_EQ(ready.load(std::memory_order_acquire), n);
  long sum = 0;
  for (long value : data) sum += value;
  return sum;
}

}  // namespace

int main() {
  globals();
  for (long n = 0; n < 30; n += 5)
    printf("%ld: %ld %ld %ld\n", n, handed_back_and_forth(n), side_by_side(n), signalled(n));
  const std::unique_ptr<Node> tree = build(0, 300);
  printf("tree: %ld\n", weigh(tree.get(), 1));
  return 0;
}
