// References to views of global hyperobjects, whose address Clang takes for a constant: each use of
// one is a look-up of the strand's own view.

#include <cilk/cilk.h>
#include <cilk/holder.h>
#include <cilk/opadd_reducer.h>

#include <array>

#include "../support/check.h"

namespace {

using Sum = cilk::opadd_reducer<long>;
struct Add {
  static void zero(void *view);
  static void plus(void *left, void *right);
};
struct Base {
  long before = 0;
};
struct Two : Base {
  long parts[2];
};
void Add::zero(void *view) { *static_cast<Two *>(view) = {}; }
void Add::plus(void *left, void *right) {
  auto *to = static_cast<Two *>(left), *from = static_cast<Two *>(right);
  to->before += from->before;
  for (int i = 0; i < 2; ++i) to->parts[i] += from->parts[i];
}

struct Account {
  long plain;
  Sum sum;
};

struct Pair {
  long number, count;
  static void zero(void *view) { *static_cast<Pair *>(view) = {}; }
  static void plus(void *left, void *right) {
    auto *to = static_cast<Pair *>(left), *from = static_cast<Pair *>(right);
    to->number += from->number;
    to->count += from->count;
  }
};
using Array = std::array<long, 2>;
struct AddArrays {
  static void zero(void *view) { *static_cast<Array *>(view) = {}; }
  static void plus(void *left, void *right) {
    for (std::size_t i = 0; i < 2; ++i)
      (*static_cast<Array *>(left))[i] += (*static_cast<Array *>(right))[i];
  }
};

cilk::holder<int> holder;
Pair cilk_reducer(Pair::zero, Pair::plus) pair = {};
Array cilk_reducer(AddArrays::zero, AddArrays::plus) array = {};
Sum sum = 1;
Account account = {1, 2};
Two cilk_reducer(Add::zero, Add::plus) two = {};

int &global_reference = holder;
long &global_sum = sum;

NOINLINE void of_a_holder(int i) {
  int &view = holder;
  auto &deduced = holder;
  view = i;
  CHECK(&view == &holder);
  CHECK(&deduced == &holder);
  CHECK(&global_reference == &holder);
  CHECK_EQ(holder, i);
  static int &kept = holder;
  CHECK(&kept == &holder);
  CHECK([&] { return &view == &holder; }());
}

NOINLINE void add(long n) {
  long &view = sum, &member = account.sum, &part = two.parts[n % 2];
  Base &base = two;
  const long &same = view;
  view += n;
  member += n;
  part += n;
  base.before += n;
  global_sum += n;
  CHECK(&same == &sum);
  CHECK(&member == &account.sum);
  cilk_spawn [&] { view += 1; }();
  auto &[plain, other] = account;
  other += plain;
  cilk_sync;
  view += 1;
}

NOINLINE void add_to_parts(long n) {
  auto &[number, count] = pair;
  auto &&[first, second] = array;
  number += n;
  cilk_spawn [&, n] { pair.number += n; }();
  ++count;
  first += n;
  cilk_sync;
  if (auto &[same, more] = pair; n % 2 == 0) more += same * 0 + 1;
  ++second;
  CHECK(&number == &pair.number);
  CHECK(&second == &array[1]);
}

}  // namespace

int main() {
  for (int i = 1; i < 20; ++i) cilk_spawn of_a_holder(i);
  of_a_holder(20);
  cilk_sync;
  for (long i = 0; i < 20; ++i) cilk_spawn add(i);
  add(20);
  cilk_sync;
  CHECK_EQ(sum, 1 + 2 * 210 + 2 * 21);
  CHECK_EQ(account.sum, 2 + 210 + 21);
  CHECK_EQ(two.before, 210);
  CHECK_EQ(two.parts[0] + two.parts[1], 210);
  for (long i = 0; i < 20; ++i) cilk_spawn add_to_parts(i);
  cilk_sync;
  CHECK_EQ(pair.number, 2 * 190);
  CHECK_EQ(pair.count, 20 + 10);
  CHECK_EQ(array[0], 190);
  CHECK_EQ(array[1], 20);
  puts("right");
}
