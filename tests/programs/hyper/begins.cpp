// A hyperobject that another initializer of the same declaration, constructor or class uses. The
// strand must know it by then: else, after a steal, the value that it began with is lost, and what
// the initializers add.

#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>

#include <memory>

#include "../support/check.h"

namespace {

using Sum = cilk::opadd_reducer<long>;

NOINLINE void nothing() { linger(); }

// ---- declarators ----

NOINLINE long declarators() {
  Sum x = 4, y = x + 1;
  Sum first = 4, &again = first, last = (again += 10, 1);
  Sum parts[3] = {1, parts[0] + 1, parts[0] + parts[1] + 1};
  CHECK_EQ(x, 4);
  CHECK_EQ(y, 5);
  CHECK_EQ(first, 14);
  CHECK_EQ(last, 1);
  CHECK_EQ(parts[1], 2);
  CHECK_EQ(parts[2], 4);
  struct Here {
    Sum sum;
  } one = {3}, other = {one.sum + 1};
  return one.sum + other.sum;
}

// ---- members ----

struct Pair {
  Sum a, b;
  Pair() : a(4), b(a + 1) {}
  explicit Pair(long n) : a(n), b(a > 5 ? a + 1 : a + 2) {}
};
struct Delegating : Pair {
  long total;
  Delegating() : Delegating(10) { total += a; }
  explicit Delegating(long n) : Pair(n), total(a + b) {}
};
struct Defaults {
  Sum a = 4;
  Sum b = a;
  long c = a + b;
};
struct Sees {
  long value;
  explicit Sees(Pair &pair) : value(pair.a += 1) {}
};
struct Member {
  Pair pair;
  Sees sees;
  Sum more;
  Member() : pair(), sees(pair), more(sees.value) {}
};
template <class Base>
struct Inherits : Base {
  using Base::Base;
  Sum more = this->a + 1;
};
struct Virtual : virtual Defaults {
  Sum d;
  Virtual() : d(a + b + c) { a += 1; }
};
struct Tries {
  Sum a, b;
  explicit Tries(bool fails) try : a(3), b(a + 1) {
    if (fails) throw 1L;
  } catch (long n) {
    throw n + 1;
  }
};
NOINLINE void members() {
  Pair pair;
  CHECK_EQ(pair.a, 4);
  CHECK_EQ(pair.b, 5);
  CHECK_EQ(Pair(pair.b).a, 5);
  Pair third(pair.a + pair.b), fourth(third.b);
  CHECK_EQ(third.b, 10);
  CHECK_EQ(fourth.b, 11);
  Delegating delegating;
  CHECK_EQ(delegating.total, 31);
  Member member;
  CHECK_EQ(member.pair.a, 5);
  CHECK_EQ(member.sees.value, 5);
  CHECK_EQ(member.more, 5);
  Inherits<Pair> inherits(7);
  CHECK_EQ(inherits.b, 8);
  CHECK_EQ(inherits.more, 8);
  Virtual with_virtual;
  CHECK_EQ(with_virtual.d, 16);
  CHECK_EQ(with_virtual.a, 5);
  Tries tries(false);
  CHECK_EQ(tries.b, 4);
  long caught = 0;
  try {
    Tries fails(true);
  } catch (long n) {
    caught = n;
  }
  CHECK_EQ(caught, 2);
}

NOINLINE void defaults() {
  Defaults plain, listed{}, given{1, 2, 3}, part{9}, copy = part, several[2] = {{}, {7}};
  CHECK_EQ(plain.b + plain.c, 12);
  CHECK_EQ(listed.b + listed.c, 12);
  CHECK_EQ(given.a + given.b + given.c, 6);
  CHECK_EQ(part.b + part.c, 27);
  CHECK_EQ(copy.b + copy.c, 27);
  CHECK_EQ(several[0].b + several[0].c, 12);
  CHECK_EQ(several[1].b + several[1].c, 21);
  const Defaults constant{};
  CHECK_EQ(constant.b + constant.c, 12);
  std::unique_ptr<Defaults> made(new Defaults), lists(new Defaults{5}),
      unique = std::make_unique<Defaults>();
  CHECK_EQ(made->b + made->c, 12);
  CHECK_EQ(lists->b + lists->c, 15);
  CHECK_EQ(unique->b + unique->c, 12);
  std::unique_ptr<Defaults[]> array(new Defaults[2]{{}, {6}});
  CHECK_EQ(array[0].c + array[1].c, 20);
}

/// In a continuation, which may be stolen.
NOINLINE void check() {
  cilk_spawn nothing();
  CHECK_EQ(declarators(), 7);
  members();
  defaults();
  cilk_sync;
}
NOINLINE void declared_in_a_spawner() {
  cilk_spawn nothing();
  Sum x = 4, y = x + 1;
  Pair pair;
  Defaults defaults{};
  cilk_spawn nothing();
  x += 1;
  pair.b += 1;
  defaults.b += 1;
  cilk_sync;
  CHECK_EQ(x, 5);
  CHECK_EQ(y, 5);
  CHECK_EQ(pair.b, 6);
  CHECK_EQ(defaults.b, 5);
  CHECK_EQ(defaults.c, 8);
}

}  // namespace

int main() {
  for (int i = 0; i < 20; ++i) check(), declared_in_a_spawner();
  puts("right");
}
