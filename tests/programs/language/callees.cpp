// What may be spawned: every kind of callee, each through a function of its own, so that a failure
// names its kind. See results.cpp for kinds of result, contexts.cpp for the functions that spawn.
//
// matrix: flags -std=c++20

#include <cilk/cilk.h>

#include <cstdarg>
#include <functional>
#include <memory>

#include "../support/check.h"

namespace {

NOINLINE long plain(long n) { return 3 * n + 1; }
inline long inlined(long n) { return n + 2; }
NOINLINE long plain(long a, long b) { return a * b; }  // an overload
NOINLINE long with_default(long a, long b = 40) { return a + b; }
NOINLINE long nothrow(long n) noexcept { return n - 1; }
extern "C" NOINLINE long c_linkage(long n) { return n ^ 0x55; }

NOINLINE long variadic(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += i % 2 == 0 ? static_cast<double>(va_arg(arguments, long)) : va_arg(arguments, double);
  va_end(arguments);
  return static_cast<long>(sum);
}

namespace nested {
struct Tag {
  long value;
};
NOINLINE long found_by_argument(const Tag &tag) { return tag.value * 7; }
}  // namespace nested

template <class T>
NOINLINE T twice(T value) {
  return value + value;
}
template <int kFactor, class T>
NOINLINE T times(T value) {
  return value * kFactor;
}
template <class... Ts>
NOINLINE long sum_of(Ts... values) {
  return (static_cast<long>(values) + ... + 0);
}

struct Base {
  explicit Base(long value) : value(value) {}
  virtual ~Base() = default;
  virtual long get(long n) const { return value + n; }
  long value;
};
struct Left : virtual Base {
  explicit Left(long value) : Base(value) {}
  long get(long n) const override { return value + 10 * n; }
};
struct Right : virtual Base {
  explicit Right(long value) : Base(value) {}
  virtual long right(long n) { return value - n; }
  char padding[24] = {};
};
struct Bottom final : Left, Right {
  explicit Bottom(long value) : Base(value), Left(value), Right(value) {}
  long get(long n) const override { return Left::get(n) + 1; }
  long right(long n) override { return 2 * n; }  // called through a thunk
};

struct Object {
  long value = 5;
  NOINLINE long add(long n) const { return value + n; }
  NOINLINE long operator()(long n) { return value * n; }
  NOINLINE long operator[](long n) const { return value - n; }
  static NOINLINE long square(long n) { return n * n; }
  template <class T>
  NOINLINE T scaled(T n) const {
    return static_cast<T>(value) * n;
  }
  Object plus(long n) const { return Object{value + n}; }
  NOINLINE long on_lvalue() & { return value; }
  NOINLINE long on_rvalue() && { return -value; }
};
NOINLINE long operator+(const Object &a, const Object &b) { return a.value + b.value; }

template <class Derived>
struct Curious {
  NOINLINE long run(long n) { return static_cast<Derived *>(this)->step(n) + 1; }
};
struct Concrete : Curious<Concrete> {
  long step(long n) { return n * 100; }
};

long (*const kTable[])(long) = {plain, nothrow, c_linkage};
long (*volatile unknown_function)(long) = nothrow;
NOINLINE auto select(int index) -> long (*)(long) { return kTable[index]; }

// ---- one function for each kind ----

long functions(long n) {
  long a = cilk_spawn plain(n);
  long b = cilk_spawn inlined(n);
  long c = cilk_spawn plain(n, 3);
  long d = cilk_spawn with_default(n);
  long e = cilk_spawn nothrow(n);
  long f = cilk_spawn c_linkage(n);
  long g = cilk_spawn nested::found_by_argument({n});
  nested::Tag tag{n};
  long h = cilk_spawn found_by_argument(tag);
  cilk_sync;
  return a + b + c + d + e + f + g + h;
}

long variadic_functions(long n) {
  long none = cilk_spawn variadic(0);
  long some = cilk_spawn variadic(4, n, 2.5, 7L, 0.5);
  long many = cilk_spawn variadic(12, 1L, 1.0, 1L, 1.0, 1L, 1.0, 1L, 1.0, 1L, 1.0, n, 1.0);
  cilk_sync;
  return none + some + many;
}

long function_pointers(long n) {
  long (*pointer)(long) = unknown_function;
  long (&reference)(long) = plain;
  long a = cilk_spawn pointer(n);
  long b = cilk_spawn(*pointer)(n);
  long c = cilk_spawn reference(n);
  long d = cilk_spawn kTable[2](n);
  long e = cilk_spawn select(0)(n);  // only the outer call is the child
  long f = cilk_spawn unknown_function(n);
  cilk_sync;
  return a + b + c + d + e + f;
}

long members(long n) {
  Object object;
  const Object *pointer = &object;
  long a = cilk_spawn object.add(n);
  long b = cilk_spawn pointer->add(n);
  long c = cilk_spawn Object::square(n);
  long d = cilk_spawn object.square(n);
  long e = cilk_spawn object.scaled(n);
  long f = cilk_spawn object.template scaled<int>(3);
  // The object is a temporary that the child destroys.
  long g = cilk_spawn object.plus(1).plus(2).add(n);
  long h = cilk_spawn object.on_lvalue();
  long i = cilk_spawn Object{n}.on_rvalue();
  cilk_sync;
  return a + b + c + d + e + f + g + h + i;
}

long operators(long n) {
  Object object, other{n};
  long a = cilk_spawn object(n);
  long b = cilk_spawn object.operator()(n);
  long c = cilk_spawn object.operator[](n);
  long d = cilk_spawn operator+(object, other);
  cilk_sync;
  return a + b + c + d;
}

long virtual_functions(long n) {
  Bottom bottom(6);
  Left left(2);
  Base *const base = &bottom;
  Right &right = bottom;
  std::unique_ptr<Base> owned = std::make_unique<Left>(9);
  long a = cilk_spawn base->get(n);
  long b = cilk_spawn right.right(n);
  long c = cilk_spawn left.get(n);
  long d = cilk_spawn bottom.Base::get(n);
  long e = cilk_spawn static_cast<const Base &>(left).get(n);
  long f = cilk_spawn owned->get(n);
  cilk_sync;
  return a + b + c + d + e + f;
}

long member_pointers(long n) {
  Object object;
  Object *pointer = &object;
  Bottom bottom(3);
  Base &base = bottom;
  long (Object::*member)(long) const = &Object::add;
  long (Base::*virtual_member)(long) const = &Base::get;
  long a = cilk_spawn(object.*member)(n);
  long b = cilk_spawn(pointer->*member)(n);
  long c = cilk_spawn(base.*virtual_member)(n);
  cilk_sync;
  return a + b + c;
}

long lambdas(long n) {
  long by_reference = 0, counter = n;
  auto named = [n](long m) { return n * m; };
  auto generic = [](auto a, auto b) { return static_cast<long>(a) + static_cast<long>(b); };
  auto changing = [counter]() mutable { return ++counter; };
  long a = cilk_spawn named(2);
  long b = cilk_spawn generic(n, 2.75);
  long c = cilk_spawn generic(1, 'a');
  long d = cilk_spawn changing();
  long e = cilk_spawn [](long m) { return m - 4; }(n);
  long f = cilk_spawn [&counter, n] { return counter + n; }();
  cilk_spawn [&] { by_reference = n * 1000; }();
  cilk_spawn [] {}();
  long g = cilk_spawn [](auto... values) { return (0L + ... + values); }(n, 1L, 2L);
  cilk_sync;
  return a + b + c + d + e + f + g + by_reference;
}

long templates(long n) {
  long a = cilk_spawn twice(n);
  double b = cilk_spawn twice(1.25);
  long c = cilk_spawn times<7>(n);
  long d = cilk_spawn times<2, long>(3);
  long e = cilk_spawn sum_of(n, 'b', 2.5f, short{4});
  long f = cilk_spawn sum_of();
  Concrete concrete;
  long g = cilk_spawn concrete.run(n);
  cilk_sync;
  return a + static_cast<long>(b * 4) + c + d + e + f + g;
}

long library_callables(long n) {
  std::function<long(long)> function = [n](long m) { return n + m; };
  const std::function<long(long)> from_pointer = nothrow;
  auto bound = std::bind_front(&Object::add, Object{11});
  Object object;
  long a = cilk_spawn function(8);
  long b = cilk_spawn from_pointer(n);
  long c = cilk_spawn bound(n);
  long d = cilk_spawn std::invoke(&Object::add, object, n);
  long e = cilk_spawn std::plus<long>{}(n, 1);
  cilk_sync;
  return a + b + c + d + e;
}

}  // namespace

int main() {
  const struct {
    const char *name;
    long (*run)(long);
  } kinds[] = {
      {"functions", functions},
      {"variadic functions", variadic_functions},
      {"function pointers", function_pointers},
      {"members", members},
      {"operators", operators},
      {"virtual functions", virtual_functions},
      {"pointers to members", member_pointers},
      {"lambdas", lambdas},
      {"templates", templates},
      {"library callables", library_callables},
  };
  for (const auto &kind : kinds) {
    const long first = kind.run(10);
    for (int i = 0; i < 20; ++i) CHECK_EQ(kind.run(10), first);
    printf("%s: %ld\n", kind.name, first);
  }
  return 0;
}
