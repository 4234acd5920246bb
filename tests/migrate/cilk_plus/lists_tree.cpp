// cilk::reducer of op_list_append and op_list_prepend: a tree walk in order, move_in, move_out.
#include <cilk/cilk.h>
#include <cilk/reducer_list.h>

#include <cstdio>
#include <list>
#include <memory>

struct Node {
  int key;
  std::unique_ptr<Node> left, right;
};

std::unique_ptr<Node> build(int low, int high) {
  if (low >= high) return nullptr;
  int middle = (low + high) / 2;
  return std::unique_ptr<Node>(new Node{middle, build(low, middle), build(middle + 1, high)});
}

typedef cilk::reducer<cilk::op_list_append<int>> Ascending;
typedef cilk::reducer<cilk::op_list_prepend<int>> Descending;

void walk(const Node *node, Ascending &up, Descending &down) {
  if (!node) return;
  cilk_spawn walk(node->left.get(), up, down);
  if (node->key % 3 == 0) up->push_back(node->key);
  if (node->key % 5 == 0) down->push_front(node->key);
  walk(node->right.get(), up, down);
  cilk_sync;
}

int main() {
  std::unique_ptr<Node> root = build(0, 60);
  Ascending up(std::list<int>(1, -1));
  Descending down;
  std::list<int> end(2, 99), result;
  down.move_in(end);
  walk(root.get(), up, down);
  for (int key : up.get_value()) std::printf("%d ", key);
  down.move_out(result);
  for (std::list<int>::const_iterator it = result.begin(); it != result.end(); ++it)
    std::printf("%d%c", *it, std::next(it) == result.end() ? '\n' : ',');
  return 0;
}
