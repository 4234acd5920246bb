// Exercises: recursive tree sum, one task per left child, taskwait, value-returning recursion.
#include <iostream>
#include <memory>

struct Node {
  long value = 0;
  std::unique_ptr<Node> left, right;
};

static std::unique_ptr<Node> build(long lo, long hi) {
  if (lo >= hi) return nullptr;
  const long mid = lo + (hi - lo) / 3;
  auto node = std::make_unique<Node>();
  node->value = mid * mid % 1013;
  node->left = build(lo, mid);
  node->right = build(mid + 1, hi);
  return node;
}

static long tree_sum(const Node *node) {
  if (node == nullptr) return 0;
  long left = 0;
#pragma omp task shared(left) firstprivate(node)
  left = tree_sum(node->left.get());
  const long right = tree_sum(node->right.get());
#pragma omp taskwait
  return node->value + left + right;
}

int main() {
  for (long n : {10L, 100L, 1500L}) {
    auto root = build(0, n);
    long total = 0;
#pragma omp parallel default(none) shared(root, total)
    {
#pragma omp single
      {
        total = tree_sum(root.get());
      }
    }
    std::cout << n << ' ' << total << '\n';
  }
  return 0;
}
