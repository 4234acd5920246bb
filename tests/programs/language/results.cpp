// The kinds of result that a child may return, and the forms in which a statement takes them:
// initializers, assignments, conversions. The result is built or stored by the child; it is read
// after the sync.

#include <cilk/cilk.h>

#include <array>
#include <atomic>
#include <complex>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

// The identity, opaque to the optimizer, for each type.
template <class T>
NOINLINE T give(T value) {
  linger();
  return value;
}

enum Plain : unsigned char { kOne = 1, kTwo };
enum class Scoped : long { kThree = 3 };

// Returned in one register, in two of the same kind, in one of each, and in memory.
struct Small {
  int a, b;
};
struct TwoDoubles {
  double a, b;
};
struct Mixed {
  long a;
  double b;
};
struct Large {
  std::array<long, 12> values;
};
struct Empty {};

NOINLINE Large make_large(long n) {
  Large large;
  for (std::size_t i = 0; i < large.values.size(); ++i) large.values[i] = n + static_cast<long>(i);
  linger();
  return large;
}
NOINLINE void set(long &place, long value) { place = value; }
NOINLINE long &same(long &place) { return ++place, place; }
NOINLINE Counted make_counted(long value) {
  linger();
  return Counted(value);
}
NOINLINE const char *text(int which) {
  return which == 0 ? "zero" : "a text that is too long for the small string";
}

// Converts from long, and counts how it is made and assigned.
struct Wrapper {
  Wrapper() = default;
  Wrapper(long value) : value(value) {}  // NOLINT: the conversion is what is tested
  Wrapper &operator=(long other) {
    value = other + 1000;
    return *this;
  }
  operator long() const { return value; }  // NOLINT
  long value = 0;
};

struct MoveOnly {
  explicit MoveOnly(long value) : value(std::make_unique<long>(value)) {}
  std::unique_ptr<long> value;
};

void scalars() {
  long written = 0;
  cilk_spawn set(written, 11);
  bool boolean = cilk_spawn give(true);
  char character = cilk_spawn give('x');
  signed char negative = cilk_spawn give(static_cast<signed char>(-5));
  unsigned short narrow = cilk_spawn give(static_cast<unsigned short>(65535));
  int integer = cilk_spawn give(-7);
  unsigned long wide = cilk_spawn give(~0ul);
  __int128 wider = cilk_spawn give(static_cast<__int128>(1) << 100);
  float single = cilk_spawn give(1.5f);
  double real = cilk_spawn give(-2.25);
  long double extended = cilk_spawn give(1.0L / 3);
  std::complex<double> complex = cilk_spawn give(std::complex<double>(1, -1));
  Plain plain = cilk_spawn give(kTwo);
  Scoped scoped = cilk_spawn give(Scoped::kThree);
  const int *pointer = cilk_spawn give(&integer);
  std::nullptr_t null = cilk_spawn give(nullptr);
  int Small::*member = cilk_spawn give(&Small::b);
  cilk_sync;
  CHECK(boolean && character == 'x' && negative == -5 && narrow == 65535 && integer == -7 &&
        wide == ~0ul);
  CHECK(wider == static_cast<__int128>(1) << 100 && single == 1.5f && real == -2.25 &&
        extended == 1.0L / 3);
  CHECK(complex == std::complex<double>(1, -1) && plain == kTwo && scoped == Scoped::kThree &&
        *pointer == -7);
  CHECK(null == nullptr && member == &Small::b && written == 11);
  printf("scalars: ok\n");
}

void structs() {
  Small small = cilk_spawn give(Small{1, 2});
  TwoDoubles two = cilk_spawn give(TwoDoubles{1.5, 2.5});
  Mixed mixed = cilk_spawn give(Mixed{3, 4.5});
  Large large = cilk_spawn make_large(100);
  [[maybe_unused]] Empty empty = cilk_spawn give(Empty{});
  Large assigned;
  assigned = cilk_spawn make_large(200);
  std::array<Small, 4> array;
  for (int i = 0; i < 4; ++i) array[static_cast<std::size_t>(i)] = cilk_spawn give(Small{i, i * i});
  cilk_spawn make_large(1);  // the result is dropped
  cilk_sync;
  long sum = small.a + small.b + mixed.a;
  for (long value : large.values) sum += value;
  for (long value : assigned.values) sum += value;
  for (const Small &element : array) sum += element.a * 10 + element.b;
  printf("structs: %ld %.2f\n", sum, two.a + two.b + mixed.b);
}

void references() {
  long place = 5, other = 8;
  long &reference = cilk_spawn same(place);
  long copy = cilk_spawn same(other);
  cilk_sync;
  reference += 100;
  CHECK(&reference == &place);
  printf("references: %ld %ld\n", place, copy);
}

void initializers() {
  auto a = cilk_spawn give(1L);
  const auto b = cilk_spawn give(2L);
  long c(cilk_spawn give(3L));
  long d{cilk_spawn give(4L)};
  auto *e = cilk_spawn give(&c);
  double f = cilk_spawn give(5);         // a conversion, which is the child's
  Wrapper g = cilk_spawn give(6L);       // a converting constructor
  long h = cilk_spawn give(Wrapper(7));  // a conversion function
  long i = cilk_spawn give(8L), j = cilk_spawn give(9L), k = 10;
  std::string l = cilk_spawn text(1);
  std::optional<int> m = cilk_spawn give(11);
  std::unique_ptr<long> n = cilk_spawn std::make_unique<long>(12);
  std::shared_ptr<const long> o = cilk_spawn std::make_shared<long>(13);
  MoveOnly p = cilk_spawn give(MoveOnly(14));
  std::tuple<int, std::string> q = cilk_spawn give(std::make_tuple(15, std::string(40, 'q')));
  cilk_sync;
  printf("initializers: %ld %ld %ld %ld %d %.1f %ld %ld %ld %ld %ld %s %d %ld %ld %ld %d%s\n", a, b,
         c, d, e == &c, f, g.value, h, i, j, k, l.c_str(), *m, *n, *o, *p.value, std::get<0>(q),
         std::get<1>(q).c_str());
}

struct Fields {
  long field = 0;
  double real = 0;
  std::string string;
  long self_assign(long n) {
    field = cilk_spawn give(n);
    this->real = cilk_spawn give(n + 0.5);
    cilk_sync;
    return field;
  }
};

long global_result;

void assignments() {
  long local, array[4], *pointer = &array[2];
  Fields fields;
  double converted;
  unsigned char narrowed;
  Wrapper wrapper;
  std::string string = "before", other = "before";
  std::unique_ptr<long> owner;
  std::optional<std::string> optional;
  std::vector<std::string> vector(3);
  std::map<std::string, long> map;
  std::atomic<long> atomic;
  volatile long volatile_result;
  std::pair<long, long> pair;
  local = cilk_spawn give(1L);
  array[0] = cilk_spawn give(2L);
  array[1] = cilk_spawn give(3L);
  *pointer++ = cilk_spawn give(4L);
  *pointer = cilk_spawn give(5L);
  fields.string = cilk_spawn give(std::string("a field"));
  converted = cilk_spawn give(6);
  narrowed = cilk_spawn give(0x107);
  wrapper = cilk_spawn give(8L);
  string = cilk_spawn text(0);  // operator=(const char *), called by the child
  other = cilk_spawn give(std::string(50, 'm'));
  owner = cilk_spawn std::make_unique<long>(9);
  optional = cilk_spawn text(1);
  vector[1] = cilk_spawn give(std::string("an element"));
  vector.back() = cilk_spawn text(0);
  map["key"] = cilk_spawn give(10L);
  global_result = cilk_spawn give(11L);
  atomic = cilk_spawn give(12L);
  volatile_result = cilk_spawn give(13L);
  (fields.field) = cilk_spawn give(14L);
  std::get<1>(pair) = cilk_spawn give(15L);
  cilk_sync;
  printf(
      "assignments: %ld %ld %ld %ld %ld %s %.1f %d %ld %s %s %ld %s %s %s %ld %ld %ld %ld %ld "
      "%ld\n",
      local, array[0], array[1], array[2], array[3], fields.string.c_str(), converted, narrowed,
      wrapper.value, string.c_str(), other.c_str(), *owner, optional->c_str(), vector[1].c_str(),
      vector[2].c_str(), map["key"], global_result, atomic.load(), volatile_result, fields.field,
      pair.second);
  const long returned = fields.self_assign(16);
  printf("fields: %ld %.1f\n", returned, fields.real);
}

// Built in place: Counted checks that no object is moved as bytes, and that none is left or
// destroyed twice.
void objects() {
  const long before = Counted::made();
  Counted built = cilk_spawn make_counted(1);
  Counted assigned(0);
  assigned = cilk_spawn make_counted(2);
  Counted copied = cilk_spawn give(Counted(3));
  std::vector<Counted> elements(5);
  for (std::size_t i = 0; i < elements.size(); ++i)
    elements[i] = cilk_spawn make_counted(static_cast<long>(i));
  cilk_spawn make_counted(4);  // dropped: the child destroys it
  auto pair = cilk_spawn give(std::make_pair(Counted(5), std::string(33, 'p')));
  cilk_sync;
  long sum =
      built.value() + assigned.value() * 10 + copied.value() * 100 + pair.first.value() * 1000;
  for (const Counted &element : elements) sum += element.value() * 10000;
  printf("objects: %ld, %ld constructions\n", sum, Counted::made() - before);
}

}  // namespace

int main() {
  for (int i = 0; i < 5; ++i) {
    scalars();
    structs();
    references();
    initializers();
    assignments();
    objects();
    CHECK_EQ(Counted::live(), 0);
  }
  return 0;
}
