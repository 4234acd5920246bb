// Reducers as globals, static and class members, array elements and on the heap: n-queens.
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>

#include <cstdio>
#include <memory>

cilk::reducer<cilk::op_add<int>> solutions;
static cilk::reducer_opadd<long> visited(0);

class Queens {
 public:
  explicit Queens(int n) : n_(n), all_((1u << n) - 1), deepest_(0) {}

  void place(int row, unsigned columns, unsigned left, unsigned right) {
    ++visited;
    deepest_->calc_max(row);
    if (row == n_) ++*solutions;
    for (unsigned free = all_ & ~(columns | left | right); free != 0; free &= free - 1) {
      unsigned bit = free & -free;
      cilk_spawn place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    cilk_sync;
  }
  int deepest() const { return deepest_.get_value(); }

 private:
  int n_;
  unsigned all_;
  cilk::reducer<cilk::op_max<int>> deepest_;
};

int main() {
  Queens queens(6);
  queens.place(0, 0, 0, 0);
  cilk::reducer<cilk::op_add<int>> columns[3];
  std::unique_ptr<cilk::reducer<cilk::op_add<int>>> total(new cilk::reducer<cilk::op_add<int>>(7));
  cilk_for (int i = 0; i < 90; ++i) {
    *columns[i % 3] += i;
    **total += 1;
  }
  std::printf("%d %ld %d\n", solutions.get_value(), visited.get_value(), queens.deepest());
  std::printf("%d %d %d\n", columns[0].get_value(), columns[2].get_value(), total->get_value());
}
