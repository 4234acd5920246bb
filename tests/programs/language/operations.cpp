// Spawned operations that are not calls: new in all its forms, and builtins. The parent computes
// the operands, so it may change their sources at once. The child allocates, constructs and stores.

#include <cilk/cilk.h>

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

struct Point {
  Point() : x(1), y(2) { linger(); }
  Point(long x, long y) : x(x), y(y) { linger(); }
  long x, y;
};
struct Aggregate {
  long a, b[2];
  Point point;
};
struct Named {
  Named(std::string by_value, const std::string &by_reference, std::string &&moved)
      : text(std::move(by_value) + by_reference + moved) {
    linger();
  }
  Named(Counted counted, long n) : number(counted.value() + n) { linger(); }
  std::string text;
  long number = 0;
};
struct Throws {
  Throws(const Counted &given, long n) : member(given.value()) {
    linger();
    if (n % 3 == 1) throw n;
  }
  Counted member;
};
struct Base {
  virtual ~Base() = default;
  virtual long value() const { return 1; }
};
struct Derived : Base {
  explicit Derived(long n) : n(n) { linger(); }
  long value() const override { return n; }
  long n;
};

// Its allocations are counted, and may fail.
struct Allocated {
  explicit Allocated(long n) : n(n) {
    linger();
    last = this;
    if (n == 4) throw n;
  }
  static void *operator new(size_t bytes) {
    if (fails) throw std::bad_alloc();
    allocated += 1;
    return ::operator new(bytes);
  }
  static void *operator new(size_t bytes, long add) {
    allocated += add;
    return ::operator new(bytes);
  }
  static void operator delete(void *memory) {
    allocated -= 1;
    ::operator delete(memory);
  }
  static void operator delete(void *memory, long add) {
    allocated -= add;
    ::operator delete(memory);
  }
  long n;
  static inline long allocated = 0;
  static inline bool fails = false;
  static inline Allocated *last = nullptr;
};

long scalars(long n) {
  long *p[8], *arrays[8];
  for (long i = 0; i < 8; ++i) p[i] = cilk_spawn new long(n + i);
  for (long i = 0; i < 8;) {
    arrays[i] = cilk_spawn new long[static_cast<size_t>(i) + 2]{i, n};
    ++i;
  }
  auto *zero = cilk_spawn new long();
  int *const listed = cilk_spawn new int{static_cast<int>(n)};
  cilk_sync;
  long sum = *zero + *listed;
  for (long i = 0; i < 8; ++i) sum = sum * 3 + *p[i] + arrays[i][0];
  for (long i = 0; i < 8; ++i) {
    delete p[i];
    delete[] arrays[i];
  }
  delete zero;
  delete listed;
  return sum;
}

long objects(long n) {
  Point *points[6];
  long x = n;
  for (long i = 0; i < 6; ++i) {
    points[i] = cilk_spawn new Point(x, i);
    x += 5;  // the child has what it was
  }
  Point *plain = cilk_spawn new Point;
  auto many = cilk_spawn new Point[static_cast<size_t>(n) + 2];
  Aggregate *aggregate = cilk_spawn new Aggregate{n, {n + 1, 7}, Point(n, 3)};
  Base *base = cilk_spawn new Derived(n);
  std::unique_ptr<Base> owner(cilk_spawn new Derived(n + 1));
  std::shared_ptr<Point> shared{cilk_spawn new Point(4, n)};
  n = 0;
  cilk_sync;
  long sum = plain->x + many[1].y + aggregate->a * 10 + aggregate->b[1] + aggregate->point.x +
             base->value() + owner->value() + shared->x;
  for (Point *point : points) sum = sum * 7 + point->x + point->y;
  for (Point *point : points) delete point;
  delete plain;
  delete[] many;
  delete aggregate;
  delete base;
  return sum;
}

NOINLINE Named named(long n) { return {Counted(8), n}; }

std::string arguments(long n) {
  std::string text = std::string(20, 'a'), other = "b";
  Named *a = cilk_spawn new Named(text, other, std::string(20, 'c') + other);
  text = "changed";
  Named *d = cilk_spawn new Named(named(n));
  Counted counted(5);
  Named *b = cilk_spawn new Named(counted, n);
  Named *c = cilk_spawn new Named(Counted(6), n++);
  counted.set(100);
  cilk_sync;
  std::string result = a->text + std::to_string(b->number) + "," + std::to_string(c->number) + "," +
                       std::to_string(d->number) + "," + std::to_string(n);
  delete d;
  delete a;
  delete b;
  delete c;
  return result;
}

long throwing(long n) {
  BalanceCheck balance;
  Throws *a = nullptr, *b = nullptr;
  long caught = 0;
  try {
    a = cilk_spawn new Throws(Counted(n), n);
    linger();
    cilk_sync;
    b = cilk_spawn new Throws(Counted(n + 1), n + 1);
    linger();
    cilk_sync;
  } catch (long m) {
    caught = m;
  }
  const long result = caught * 100 + (a ? a->member.value() : -1) + (b ? b->member.value() : -1);
  delete a;
  delete b;
  return result;
}

long allocations(long n) {
  Allocated::allocated = 0;
  long result = 0;
  Allocated *a = nullptr, *b = nullptr, *c = nullptr;
  try {
    a = cilk_spawn new Allocated(n);
    linger();
    cilk_sync;
    result += a->n;
    b = cilk_spawn new (7L) Allocated(n + 1);
    linger();
    cilk_sync;
    result += b->n + Allocated::allocated * 1000;
    Allocated::fails = n == 6;
    Allocated::last = nullptr;
    cilk_spawn new Allocated(n);
    linger();
    cilk_sync;
    c = Allocated::last;
  } catch (long m) {
    result += m * 100000;
  } catch (const std::bad_alloc &) {
    result += 77;
  }
  Allocated::fails = false;
  result += Allocated::allocated;
  delete a;
  delete b;
  delete c;
  return result;
}

long placement(long n) {
  alignas(Point) char memory[4][sizeof(Point)];
  Point *points[4];
  for (long i = 0; i < 4; ++i) points[i] = cilk_spawn new (memory[i]) Point(i, n);
  Point *fresh = cilk_spawn new (std::nothrow) Point(n, n);
  cilk_sync;
  long sum = fresh->x;
  for (long i = 0; i < 4; ++i) {
    CHECK(static_cast<void *>(points[i]) == memory[i]);
    sum = sum * 5 + points[i]->x + points[i]->y;
  }
  delete fresh;
  return sum;
}

template <class T, class... Args>
T *make(Args... args) {
  T *result = cilk_spawn new T(args...);
  auto other = cilk_spawn new T(args...);
  cilk_sync;
  delete other;
  return result;
}
template <class T>
long in_template(T n) {
  Point *a = make<Point>(n, n + 1);
  T *b = make<T>(n);
  int fixed = 3;
  int *c = cilk_spawn new int(fixed);  // depends on no parameter: the instances share it
  fixed = 4;
  cilk_sync;
  const long result = a->x * 100 + static_cast<long>(*b) * 10 + *c;
  delete a;
  delete b;
  delete c;
  return result;
}

// Kept alive by what it points to, in a loop that changes its operands.
long statements(long n) {
  std::vector<std::unique_ptr<Point>> owners(6);
  long x = n;
  for (auto &owner : owners) {
    owner = std::unique_ptr<Point>(nullptr);
    Point *&place = *reinterpret_cast<Point **>(&owner);
    place = cilk_spawn new Point(x++, n--);
  }
  cilk_sync;
  long sum = 0;
  for (auto &owner : owners) sum = sum * 3 + owner->x + owner->y;
  return sum;
}

typedef int Vector __attribute__((vector_size(16)));

long builtins(unsigned long n) {
  int ones[8];
  unsigned long m = n;
  for (int &one : ones) {
    one = cilk_spawn __builtin_popcountl(m);
    m = m * 3 + 1;
  }
  long checked = 0;
  bool overflow = cilk_spawn __builtin_add_overflow(static_cast<long>(n), 5, &checked);
  char from[16], to[16] = {}, beside[16] = {};
  std::memset(from, static_cast<int>(n % 100), sizeof from);
  cilk_spawn __builtin_memcpy(to, from, sizeof to);
  cilk_spawn std::memcpy(beside + 8, from, 4);
  Vector v = {1, 2, 3, static_cast<int>(n)};
  int largest = cilk_spawn __builtin_reduce_max(v);
  double root = cilk_spawn __builtin_sqrt(static_cast<double>(n));
  std::string text = "text", moved;
  moved = cilk_spawn std::move(text);
  cilk_spawn __builtin_prefetch(&to);
  __int128 wide = cilk_spawn __builtin_bswap64(n);
  v[0] = 100;
  cilk_sync;
  long sum = overflow + checked + to[9] + from[9] + largest + static_cast<long>(root) +
             static_cast<long>(wide >> 40) + static_cast<long>(moved.size());
  for (int one : ones) sum = sum * 3 + one;
  return sum;
}

}  // namespace

int main() {
  for (long n = 0; n < 8; ++n) {
    printf("scalars %ld\n", scalars(n));
    printf("objects %ld\n", objects(n));
    printf("arguments %s\n", arguments(n).c_str());
    printf("throwing %ld\n", throwing(n));
    printf("allocations %ld\n", allocations(n));
    printf("placement %ld\n", placement(n));
    printf("template %ld %ld\n", in_template<long>(n), in_template<short>(3));
    printf("statements %ld\n", statements(n));
    printf("builtins %ld\n", builtins(static_cast<unsigned long>(n) * 77));
    CHECK_EQ(Counted::live(), 0);
  }
  return 0;
}
