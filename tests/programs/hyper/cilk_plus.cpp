// Cilk Plus' reducers, in the newer spelling and in the older one, in parallel loops and spawns:
// each monoid of the library, a monoid of one's own with state, and all ways in and out of a
// reducer.

#include <cilk/cilk.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <vector>

#include "../support/check.h"

namespace {

constexpr int kCount = 100;

int number(int i) { return i * 37 % kCount; }

// ---- numbers ----

void sums() {
  cilk::reducer<cilk::op_add<int>> sum, twice, updated(5);
  cilk::reducer_opadd<int> older(7);
  cilk_for (int i = 0; i < kCount; ++i) {
    *sum += i;
    *twice += i;
    *twice -= 1;
    ++*twice;
    (*twice)++;
    --*twice;
    *updated = *updated + i - 1;
    older += i;
    ++older;
  }
  CHECK_EQ(sum.get_value(), 4950);
  CHECK_EQ(twice.get_value(), 4950);
  CHECK_EQ(updated.get_value(), 5 + 4950 - kCount);
  CHECK_EQ(older.get_value(), 7 + 4950 + kCount);
  sum.set_value(3);
  CHECK_EQ(sum.get_value(), 3);
  int out = 0, in = 9;
  sum.move_out(out);
  sum.move_in(in);
  CHECK(out == 3 && sum.get_value() == 9 && sum.view().view_get_reference() == 9);
}

void bits() {
  cilk::reducer<cilk::op_mul<unsigned>> product;
  cilk::reducer<cilk::op_and<unsigned>> all;
  cilk::reducer<cilk::op_or<unsigned>> any;
  cilk::reducer<cilk::op_xor<unsigned>> odd;
  cilk::reducer_opmul<unsigned> older_product;
  cilk::reducer_opand<unsigned> older_all;
  cilk::reducer_opor<unsigned> older_any;
  cilk::reducer_opxor<unsigned> older_odd(1u);
  cilk_for (unsigned i = 1; i < 60; ++i) {
    *product *= 2 * i + 1;
    *all &= ~(i % 3);
    *any = *any | i;
    *odd ^= i;
    older_product *= 2 * i + 1;
    older_all &= ~(i % 3);
    older_any |= i;
    older_odd ^= i;
  }
  unsigned expected = 1;
  for (unsigned i = 1; i < 60; ++i) expected *= 2 * i + 1;
  CHECK_EQ(product.get_value(), expected);
  CHECK_EQ(all.get_value(), ~3u);
  CHECK_EQ(any.get_value(), 63);
  CHECK_EQ(odd.get_value(), 0);
  CHECK_EQ(older_product.get_value(), expected);
  CHECK_EQ(older_all.get_value(), ~3u);
  CHECK_EQ(older_any.get_value(), 63);
  CHECK_EQ(older_odd.get_value(), 1);
}

void extremes() {
  cilk::reducer<cilk::op_max<int>> highest, by_update;
  cilk::reducer<cilk::op_min<double>> lowest;
  cilk::reducer<cilk::op_max_index<int, int>> where, where_by_update;
  cilk::reducer<cilk::op_min_index<int, int>> first(-1, 3), first_by_update;
  cilk::reducer<cilk::op_max<std::string>> last_word;
  cilk::reducer<cilk::op_max<int, std::greater<int>>> reversed;
  cilk::reducer_max<int> older;
  cilk::reducer_min_index<int, int> older_where;
  CHECK_EQ(highest.get_value(), std::numeric_limits<int>::min());
  CHECK(!last_word->is_set());
  cilk_for (int i = 0; i < kCount; ++i) {
    highest->calc_max(number(i));
    *by_update = cilk::max_of(*by_update, number(i));
    lowest->calc_min(number(i) / 2.0);
    where->calc_max(i, number(i) / 2);
    first->calc_min(i, number(i) / 4);
    *where_by_update = cilk::max_of(*where_by_update, i, number(i) / 2);
    *first_by_update = cilk::min_of(i, number(i) / 4, *first_by_update);
    last_word->calc_max(std::to_string(i));
    reversed->calc_max(number(i) + 1);
    older.calc_max(number(i));
    older_where->calc_min(i, number(i) / 3);
  }
  CHECK_EQ(highest.get_value(), 99);
  CHECK_EQ(by_update.get_value(), 99);
  CHECK(lowest.get_value() == 0);
  int at = 0, low = 0;
  for (int i = 0; i < kCount; ++i) {
    if (number(i) / 2 > number(at) / 2) at = i;
    if (number(i) / 3 < number(low) / 3) low = i;
  }
  CHECK(where->get_index() == at && where.get_value() == std::pair(at, 49));
  CHECK_EQ(first->get_index(), 0);
  CHECK_EQ(where_by_update->get_index(), at);
  CHECK_EQ(first_by_update->get_index(), 0);
  CHECK(last_word.get_value() == "99");
  CHECK_EQ(reversed.get_value(), 1);
  CHECK_EQ(older.get_value(), 99);
  CHECK(older_where.get_index() == low && older_where.get_value() == 0 && older_where.is_set());
}

// ---- sequences ----

NOINLINE void add(cilk::reducer<cilk::op_string> &text, int i) {
  linger();
  text->append(1, static_cast<char>('a' + i % 26));
}

void strings() {
  cilk::reducer<cilk::op_string> text("begin:");
  cilk::reducer<cilk::op_wstring> wide;
  cilk::reducer_string older;
  for (int i = 0; i < 26; ++i) cilk_spawn add(text, i);
  cilk_sync;
  cilk_for (int i = 0; i < kCount; ++i) {
    *wide += L'0' + i % 10;
    older += std::to_string(i);
    older.append(",");
  }
  CHECK(text.get_value() == "begin:abcdefghijklmnopqrstuvwxyz");
  CHECK_EQ(wide.get_value().size(), kCount);
  std::string out;
  text.move_out(out);
  puts(out.c_str());
  puts(older.get_value().c_str());
}

void sequences() {
  cilk::reducer<cilk::op_list_append<int>> list;
  cilk::reducer<cilk::op_list_prepend<int>> reversed;
  cilk::reducer<cilk::op_vector<int>> vector;
  cilk::reducer_list_append<int> older;
  std::list<int> begin{-2, -1};
  cilk::reducer<cilk::op_list_append<int>> moved(cilk::move_in(begin));
  CHECK(begin.empty());
  cilk_for (int i = 0; i < kCount; ++i) {
    list->push_back(i);
    reversed->push_front(i);
    vector->push_back(i);
    vector->insert_back(2, i);
    older.push_back(i);
    std::list<int> more{i, i};
    moved->splice_back(more);
  }
  int expected = 0;
  for (int i : list.get_value()) CHECK_EQ(i, expected++);
  for (int i : reversed.get_value()) CHECK_EQ(i, --expected);
  for (std::size_t i = 0; i < vector.get_value().size(); ++i)
    CHECK_EQ(vector.get_value()[i], i / 3);
  for (int i : older.get_value()) CHECK_EQ(i, expected++);
  CHECK_EQ(moved.get_value().size(), 2 + 2 * kCount);
  CHECK_EQ(moved.get_value().front(), -2);
}

NOINLINE void print(cilk::reducer<cilk::op_ostream> &out, int i) {
  linger();
  *out << i << ' ';
}

void streams() {
  std::ostringstream kept;
  {
    cilk::reducer_ostream older(kept);
    cilk_for (int i = 0; i < kCount; ++i) older << i << ",";
    older << std::endl;
  }
  std::string expected;
  for (int i = 0; i < kCount; ++i) expected += std::to_string(i) + ",";
  CHECK(kept.str() == expected + "\n");
  cilk::reducer<cilk::op_ostream> out(std::cout);
  for (int i = 0; i < 40; ++i) cilk_spawn print(out, i);
  cilk_sync;
  *out << std::endl;
}

// ---- a monoid of one's own ----

class Modular : public cilk::monoid_base<int> {
 public:
  explicit Modular(int modulus = 10) : modulus_(modulus) {}
  void identity(int *view) const { *view = 1; }
  void reduce(int *left, int *right) const { *left = *left * *right % modulus_; }

 private:
  int modulus_;
};

struct Interval {
  int low = 1 << 30, high = -1;
};
struct Hull : cilk::monoid_base<Interval> {
  static void reduce(Interval *left, Interval *right) {
    left->low = std::min(left->low, right->low);
    left->high = std::max(left->high, right->high);
  }
};

void own() {
  cilk::reducer<Modular> power{Modular(1009)};
  cilk::reducer<Hull> hull;
  cilk_for (int i = 0; i < kCount; ++i) {
    *power = *power * 3 % 1009;
    hull->low = std::min(hull->low, number(i) + 5);
    hull.view().high = std::max(hull().high, number(i));
  }
  int expected = 1;
  for (int i = 0; i < kCount; ++i) expected = expected * 3 % 1009;
  CHECK_EQ(power.get_value(), expected);
  CHECK(hull.get_value().low == 5 && hull.get_value().high == 99);
}

// The macros for C are there in C++, too.
void in_the_way_of_c() {
  CILK_C_REDUCER_OPADD(sum, long, 5);
  CILK_C_REDUCER_MAX_INDEX(best, int, -1);
  CILK_C_REGISTER_REDUCER(sum);
  CILK_C_REGISTER_REDUCER(best);
  cilk_for (int i = 0; i < kCount; ++i) {
    REDUCER_VIEW(sum) += i;
    CILK_C_REDUCER_MAX_INDEX_CALC(best, i, number(i));
  }
  CILK_C_UNREGISTER_REDUCER(sum);
  CILK_C_UNREGISTER_REDUCER(best);
  long expected = 5;
  for (int i = 0; i < kCount; ++i) expected += i;
  CHECK_EQ(sum.value, expected);
  CHECK(best.value.value == 99 && number(static_cast<int>(best.value.index)) == 99);
}

}  // namespace

int main() {
  in_the_way_of_c();
  sums();
  bits();
  extremes();
  strings();
  sequences();
  own();
  streams();
}
