// tbb::task_group over a binary tree: a sum by reference, and a void update of every node.
#include <tbb/task_group.h>

#include <cstdio>
#include <memory>

struct Node {
  long value;
  std::unique_ptr<Node> left, right;
};

static std::unique_ptr<Node> build(int depth, long value) {
  if (depth <= 0) return nullptr;
  return std::unique_ptr<Node>(
      new Node{value, build(depth - 1, 2 * value), build(depth - 2, value + 3)});
}

static long tree_sum(const Node *node) {
  if (!node) return 0;
  long left = 0;
  tbb::task_group group;
  group.run([&left, node] { left = tree_sum(node->left.get()); });
  const long right = tree_sum(node->right.get());
  group.wait();
  return node->value + left + right;
}

static void scale(Node &node, long factor) {
  node.value *= factor;
  tbb::task_group group;
  if (node.left) group.run([&node, factor] { scale(*node.left, factor + 1); });
  if (node.right) group.run([&] { scale(*node.right, factor); });
  group.wait();
}

int main() {
  auto root = build(14, 1);
  std::printf("before %ld\n", tree_sum(root.get()));
  scale(*root, 2);
  std::printf("after  %ld\n", tree_sum(root.get()));
}
