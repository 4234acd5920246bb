// Hyperobjects in objects without a name, and in those that templates make, copy and destroy. All
// of them are made, used and destroyed by one strand, which may be stolen. So nothing is ever
// reduced: a view that outlived its object would be, and be written where the object was. And the
// strand must know the value that each began with.

#include <cilk/cilk.h>

#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/check.h"

namespace {

struct Add {
  static void zero(void *view) { *static_cast<long *>(view) = 0; }
  static void never(void *, void *) { check_failed("no object has two views", __FILE__, __LINE__); }
};

struct Plain {
  long cilk_reducer(Add::zero, Add::never) sum;
  char tail;
  long add(long n) { return sum += n; }
};
struct Initialized {
  long cilk_reducer(Add::zero, Add::never) sum = 7;
};
struct Defaulted {
  ~Defaulted() = default;
  long cilk_reducer(Add::zero, Add::never) sum = 7;
  static long at_once(long n) { return Defaulted().sum + n; }
};
struct Dynamic {
  virtual long add(long n) { return sum += n; }
  long cilk_reducer(Add::zero, Add::never) sum = 7;
};
struct DynamicDefaulted {
  virtual ~DynamicDefaulted() = default;
  long cilk_reducer(Add::zero, Add::never) sum = 7;
};
struct Several {
  long cilk_reducer(Add::zero, Add::never) sums[3];
};
struct Outer {
  Several inner;
  std::string name;
};
struct Derived : Plain {
  char more;
};
union Either {
  long cilk_reducer(Add::zero, Add::never) sum;
  double other;
};
struct WithUnion {
  union {
    long cilk_reducer(Add::zero, Add::never) sum;
    double other;
  };
};
template <class T>
struct Of {
  T cilk_reducer(Add::zero, Add::never) sum = 7;
  T add(T n) { return sum += n; }
  static T at_once(T n) { return Of{}.add(n); }
};
struct Within {
  long cilk_reducer(Add::zero, Add::never) sum = 7;
  long add(long n) { return sum += n; }
  static long at_once(long n) { return Within().add(n); }
};

// What programs see of the classes is what their serial elision sees, but for the destructor.
static_assert(std::is_aggregate_v<Plain> && std::is_standard_layout_v<Plain>);
static_assert(sizeof(Derived) == sizeof(Plain) + alignof(Plain));
static_assert(std::is_nothrow_move_constructible_v<Plain> && std::is_nothrow_destructible_v<Plain>);
static_assert(std::is_copy_assignable_v<Plain> && std::is_default_constructible_v<Plain>);

NOINLINE void nothing() { linger(); }
NOINLINE Plain make(long n) { return {n, 0}; }
NOINLINE long take(Plain object) { return object.sum += 1; }
NOINLINE long refer(const Plain &object) { return object.sum; }
NOINLINE long change(Plain &&object, long n = 1) { return object.sum += n; }
NOINLINE long add(long &&view, long n) { return view += n; }
NOINLINE long total(std::initializer_list<Plain> all) {
  long result = 0;
  for (const Plain &one : all) result += one.sum;
  return result;
}
template <class Function>
NOINLINE long call(Function &&function) {
  return function(1);
}

NOINLINE void temporaries() {
  CHECK_EQ((add(Plain{5, 0}.sum, 1)), 6);
  CHECK_EQ((Plain{5, 0}.add(2)), 7);
  CHECK_EQ(Plain().add(2), 2);
  CHECK_EQ(make(3).add(2), 5);
  CHECK_EQ(make(3).sum, 3);
  CHECK_EQ(take(make(3)), 4);
  CHECK_EQ(take({8, 0}), 9);
  CHECK_EQ(refer({8, 0}), 8);
  CHECK_EQ(refer(make(8)), 8);
  CHECK_EQ(change({8, 0}), 9);
  CHECK_EQ(change(make(8), Plain{3, 0}.add(1)), 12);
  CHECK_EQ(add(Initialized{}.sum, 1), 8);
  CHECK_EQ((add(Initialized{20}.sum, 1)), 21);
  CHECK_EQ(add(Defaulted().sum, 1), 8);
  CHECK_EQ(Dynamic().add(1), 8);
  CHECK_EQ(add(DynamicDefaulted().sum, 1), 8);
  CHECK_EQ((add(Several{{1, 2, 3}}.sums[1], 10)), 12);
  CHECK_EQ((add(Outer{{{1, 2, 3}}, "a name"}.inner.sums[2], 10)), 13);
  CHECK_EQ((Derived{{4, 0}, 0}.add(1)), 5);
  CHECK_EQ((add(WithUnion{{6}}.sum, 1)), 7);
  CHECK_EQ(add(Either{6}.sum, 1), 7);
  CHECK_EQ(Defaulted::at_once(3), 10);
  CHECK_EQ(Of<long>().add(1), 8);
  CHECK_EQ(Of<int>().add(1), 8);
  CHECK_EQ(Of<long>::at_once(3), 10);
  CHECK_EQ(Within::at_once(3), 10);
  Plain &&prolonged = make(5);
  prolonged.sum += 1;
  CHECK_EQ(prolonged.sum, 6);
  const Plain &constant = Plain{9, 0};
  CHECK_EQ(constant.sum, 9);
  const long &member = Plain{9, 0}.sum;
  CHECK_EQ(member, 9);
  for (int i = 0; i < 3; ++i) CHECK_EQ((i != 1 ? make(i) : Plain{7, 0}).add(1), i != 1 ? i + 1 : 8);
  CHECK_EQ(total({{1, 0}, {2, 0}, make(3)}), 6);
  for (Plain &one : std::vector<Plain>{{1, 0}, {1, 0}}) CHECK_EQ(one.sum += 1, 2);
}

NOINLINE void spawned() {
  Plain &&prolonged = cilk_spawn make(5);
  const Plain &constant = cilk_spawn make(6);
  auto &&[sum, tail] = cilk_spawn make(7);
  const long converted = cilk_spawn make(8).add(1);
  cilk_sync;
  CHECK_EQ(prolonged.sum += 1, 6);
  CHECK_EQ(constant.sum, 6);
  CHECK_EQ((sum += 1) + tail, 8);
  CHECK_EQ(converted, 9);
  const auto five = [] {
    cilk_spawn nothing();
    nothing();
    cilk_sync;
    return 5L;
  };
  CHECK_EQ((Plain{five(), 0}.add(1)), 6);
  const long in_place = Plain{[] {
                                cilk_spawn nothing();
                                nothing();
                                cilk_sync;
                                return 5L;
                              }(),
                              0}
                            .add(1);
  CHECK_EQ(in_place, 6);
  CHECK_EQ((Plain{__extension__ 5, 0}.add(1)), 6);
}

NOINLINE void closures() {
  Plain object{7, 0};
  CHECK_EQ([object]() mutable { return object.sum += 1; }(), 8);
  CHECK_EQ(call([object](long n) mutable { return object.sum += n; }), 8);
  CHECK_EQ(call([made = make(3)](long n) mutable { return made.add(n); }), 4);
  long cilk_reducer(Add::zero, Add::never) several[2] = {3, 4};
  CHECK_EQ([several] { return several[0] + several[1]; }(), 7);
  CHECK_EQ(object.sum, 7);
}

NOINLINE void thrown() {
  long caught = 0;
  try {
    throw make(5);
  } catch (Plain &object) {
    caught = object.sum += 1;
  }
  CHECK_EQ(caught, 6);
  try {
    try {
      throw Initialized{};
    } catch (Initialized &object) {
      object.sum += 1;
      throw;
    }
  } catch (const Initialized &object) {
    caught = object.sum;
  }
  CHECK_EQ(caught, 8);
}

NOINLINE void containers() {
  std::vector<Plain> grows;
  for (long i = 0; i < 100; ++i) {
    grows.push_back({i, 0});
    grows.back().sum += 1;
  }
  for (long i = 0; i < 100; ++i) CHECK_EQ(grows[static_cast<std::size_t>(i)].sum, i + 1);
  grows.erase(grows.begin(), grows.begin() + 50);
  CHECK_EQ(grows.front().sum, 51);
  std::vector<Initialized> many(1000);
  for (Initialized &one : many) one.sum += 1;
  many.resize(1500);
  for (std::size_t i = 0; i < many.size(); ++i) CHECK_EQ(many[i].sum, i < 1000 ? 8 : 7);
  many = std::vector<Initialized>(10);
  CHECK_EQ(many[9].sum += 1, 8);
  std::deque<Plain> queue(100, Plain{3, 0});
  CHECK_EQ(queue[99].sum += 1, 4);
  std::optional<Plain> maybe;
  maybe.emplace(Plain{3, 0});
  CHECK_EQ(maybe->sum += 1, 4);
  maybe.reset();
  maybe = make(8);
  CHECK_EQ(maybe->sum += 1, 9);
  const auto one = std::make_unique<Initialized>();
  CHECK_EQ(one->sum += 1, 8);
  const auto elements = std::make_unique<Initialized[]>(100);
  for (int i = 0; i < 100; ++i) CHECK_EQ(elements[static_cast<std::size_t>(i)].sum += 1, 8);
  const auto shared = std::make_shared<Initialized>();
  CHECK_EQ(shared->sum += 1, 8);
  auto *raw = new Several[10]();
  for (int i = 0; i < 10; ++i) CHECK_EQ(raw[i].sums[2] += 1, 1);
  delete[] raw;
  std::pair<Plain, int> both{make(3), 0};
  CHECK_EQ(both.first.sum += 1, 4);
}

/// In a continuation, which may be stolen.
NOINLINE void check() {
  cilk_spawn nothing();
  temporaries();
  spawned();
  closures();
  thrown();
  containers();
  cilk_sync;
}

}  // namespace

int main() {
  for (int i = 0; i < 20; ++i) check();
  puts("right");
}
