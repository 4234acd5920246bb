// C++23: deducing this, if consteval, multidimensional subscripts, static operators, auto(x).
// mutator: c++23
#include <string>
#include <utility>
#include <vector>
#include "common.h"

struct Chain {
  std::vector<int> items;
  template <class Self>
  auto &&with(this Self &&self, int n) {
    self.items.push_back(n);
    return std::forward<Self>(self);
  }
  int sum(this const Chain &self) {
    int total = 0;
    for (int n : self.items) total += n;
    return total;
  }
  Chain by_value(this Chain self, int n) {
    self.items.push_back(n);
    return self;
  }
};
struct Node {
  void visit(this auto &self, int depth) {
    add(static_cast<uint64_t>(depth));
    self.enter(depth);
    if (depth > 0) self.visit(depth - 1);
  }
};
struct Deep : Node {
  int entered = 0;
  void enter(int depth) { entered += depth; }
};
struct Grid {
  int cells[4][4] = {};
  int &operator[](int i, int j) { return cells[i][j]; }
};
struct Call {
  static int operator()(int n) {
    int r = n * n;
    return r;
  }
};
static constexpr int either(int n) {
  if consteval {
    return n;
  } else {
    return n + 1;
  }
}
static int recursive(int n) {
  auto f = [](this auto &&self, int m) -> int {
    if (m <= 1) return 1;
    int below = self(m - 1);
    return m * below;
  };
  int r = f(n);
  return r;
}

int main() {
  Chain chain;
  chain.with(1).with(2).with(3);
  Chain other = Chain{}.with(4).by_value(5);
  add(static_cast<uint64_t>(chain.sum() * 100 + other.sum()));
  Deep deep;
  deep.visit(5);
  add(static_cast<uint64_t>(deep.entered));
  Grid grid;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) grid[i, j] = i * j + Call{}(i);
  for (auto &row : grid.cells) add(static_cast<uint64_t>(row[3]));
  int (*pointer)(int) = &Call::operator();
  int r = pointer(7);
  add(static_cast<uint64_t>(r + recursive(6)));
  constexpr int compiled = either(3);
  int run = either(opaque(3));
  expect(compiled == 3 && run == 4, "if consteval");
  std::string text = "text";
  std::string copied = auto(text) + "s";
  add(copied.size());
  show("deduced");
}
