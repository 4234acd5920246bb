// cilk::reducer of op_min, op_max, op_min_index and op_max_index: calc_min, max_of, is_set.
#include <cilk/cilk.h>
#include <cilk/reducer_min_max.h>

#include <cstdio>
#include <functional>
#include <string>
#include <utility>

int value_of(int i) { return i * 53 % 211; }

int main() {
  cilk::reducer<cilk::op_max<int>> highest;
  cilk::reducer<cilk::op_min<int>> lowest(500), never;
  cilk::reducer<cilk::op_max_index<int, int>> where;
  cilk::reducer<cilk::op_min_index<long, double>> first(-1, 4.0);
  cilk::reducer<cilk::op_max<std::string>> word("cilk");
  // stays: reducers of this kind stay Cilk Plus': a comparator
  cilk::reducer<cilk::op_max<int, std::greater<int>>> reversed;
  cilk_for (int i = 0; i < 300; ++i) {
    highest->calc_max(value_of(i));
    *lowest = cilk::min_of(*lowest, value_of(i) + 3);
    where->calc_max(i, value_of(i) / 4);
    first->calc_min(i, value_of(i) / 2.0);
    word->calc_max(std::to_string(value_of(i)));
    *reversed = cilk::max_of(*reversed, value_of(i) + 11);
    if (value_of(i) > 1000) never->calc_min(value_of(i));
  }
  std::printf("%d %d %d\n", highest.get_value(), lowest.get_value(), reversed.get_value());
  // stays: reducers of this kind stay Cilk Plus': 'is_set'
  std::printf("%s %s\n", word.get_value().c_str(), never->is_set() ? "set" : "not set");
  std::printf("%d %d\n", where.get_value().first, where.get_value().second);
  std::printf("%ld %g\n", first->get_index_reference(), first->get_reference());

  highest.set_value(10);
  cilk_for (int i = 0; i < 8; ++i) highest->calc_max(i).calc_max(2 * i);
  std::pair<int, int> best;
  where.move_out(best);
  std::printf("%d %d\n", highest.get_value(), best.second);
}
