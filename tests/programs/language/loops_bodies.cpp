// The body of a cilk_for and the code around it: spawns and syncs, locals with destructors,
// continue, nesting, switches, try blocks, exceptions, lambdas, templates, generic lambdas, spawned
// blocks, cilk_scope; copies of the variable; grains.

#include <cilk/cilk.h>

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/check.h"
#include "../support/counted.h"

#if defined(CILK_SERIAL)
#pragma clang diagnostic ignored "-Wunknown-pragmas"  // the grains
#endif

namespace {

NOINLINE long square(long n) {
  if (n % 16 == 0) linger();
  return n * n;
}
NOINLINE void add(std::atomic<long> &sum, long n) {
  if (n % 16 == 0) linger();
  sum += n;
}

long triangle(long n) { return n * (n - 1) / 2; }

// An iteration waits for its children, and for no others.
void spawns(long n) {
  std::vector<long> results(n);
  cilk_for (long i = 0; i < n; ++i) {
    Counted local(i);
    long a, b;
    a = cilk_spawn square(local.value());
    b = square(i + 1);
    cilk_sync;
    results[i] = a + b;
    cilk_spawn [&] { results[i] += local.value(); }();
    // synced before local dies
  }
  for (long i = 0; i < n; ++i) CHECK_EQ(results[i], i * i + (i + 1) * (i + 1) + i);
  CHECK_EQ(Counted::live(), 0);

  std::atomic<long> sum{0};
  cilk_for (long i = 0; i < n; ++i) cilk_spawn add(sum, i);
  CHECK_EQ(sum, triangle(n));
  cilk_for (auto &x : results) cilk_spawn {
      x = 1;
      add(sum, x);
    }
  CHECK_EQ(sum, triangle(n) + n);
}

// A function that spawns otherwise, before, between and after.
void mixed(long n) {
  std::atomic<long> sum{0};
  long before = cilk_spawn square(n);
  cilk_for (long i = 0; i < n; ++i) add(sum, i);
  CHECK_EQ(sum, triangle(n));
  long between = cilk_spawn square(n + 1);
  cilk_for (long i = n; i > 0; --i) {
    if (i % 3) continue;
    add(sum, -i);
  }
  cilk_sync;
  CHECK_EQ(before, n * n);
  CHECK_EQ(between, (n + 1) * (n + 1));
  long multiples = 0;
  for (long i = 0; i <= n; i += 3) multiples += i;
  CHECK_EQ(sum, triangle(n) - multiples);
}

void nested(int n) {
  std::vector<int> cells(n * n * 3);
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) {
      int base = (i * n + j) * 3;
      cilk_for (int k = 0; k < 3; ++k) cells[base + k] = i * 100 + j * 10 + k;
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < 3; ++k) CHECK_EQ(cells[(i * n + j) * 3 + k], i * 100 + j * 10 + k);
  std::atomic<long> sum{0};
  cilk_for (int i = 0; i < n; ++i) {
    cilk_spawn add(sum, i);
    cilk_for (int j = 0; j < i; ++j) add(sum, 1);
    add(sum, 2);
  }
  CHECK_EQ(sum, 2 * triangle(n) + 2 * n);
}

// Blocks, scopes, branches and switches around and inside.
void places(int n) {
  std::atomic<long> sum{0};
  cilk_spawn {
    cilk_for (int i = 0; i < n; ++i) add(sum, i);
  }
  cilk_spawn cilk_for (int i = 0; i < n; ++i) add(sum, i);
  cilk_sync;
  CHECK_EQ(sum, 2 * triangle(n));
  cilk_scope {
    cilk_spawn add(sum, 1);
    cilk_for (int i = 0; i < n; ++i) add(sum, -i);
  }
  CHECK_EQ(sum, triangle(n) + 1);
  if (n > 5)
    cilk_for (int i = 0; i < n; ++i) add(sum, -i);
  else
    sum = 0;
  CHECK_EQ(sum, 1);
  for (int round = 0; round < 5; ++round) {
    if (round == 3) continue;
    switch (round) {
      case 0:
        cilk_for (int i = 0; i < n; ++i) add(sum, round);
        break;
      case 1:
#pragma cilk grainsize 3
        cilk_for (int i = 0; i < n; ++i) {
          switch (i % 3) {
            case 0:
              continue;
            case 1:
              add(sum, 1);
              break;
            default:
              add(sum, 2);
          }
        }
        [[fallthrough]];
      default:
        cilk_for (int i = 0; i < round; ++i) add(sum, 10);
    }
  }
  long expected = 1 + 10 + 20 + 40;
  for (int i = 0; i < n; ++i) expected += i % 3;
  CHECK_EQ(sum, expected);
  do
    cilk_for (int i = 0; i < n; ++i) sum = 7;
  while (sum != 7);
again:
  cilk_for (int i = 0; i < n; ++i) sum += i;
  if (sum < 10000) goto again;
}

// Every object that an iteration makes is destroyed. The serially first exception wins if nothing
// is stolen, else any of them.
struct Failure : std::runtime_error {
  explicit Failure(int at) : std::runtime_error("failure"), at(at) {}
  int at;
  Counted counted{1};
};

void exceptions(int n) {
  std::atomic<long> sum{0};
  int caught = 0;
  try {
    cilk_for (int i = 0; i < n; ++i) {
      Counted local(i);
      if (i == 7) throw Failure(i);
      add(sum, local.value());
    }
    CHECK(false);
  } catch (const Failure &f) {
    caught = f.at;
  }
  CHECK_EQ(caught, 7);
  CHECK_EQ(Counted::live(), 0);
  try {
    cilk_for (int i = 0; i < n; ++i) {
      Counted local(i);
      cilk_spawn [&] {
        Counted inner(i);
        if (i % 5 == 4) throw Failure(i);
      }();
      add(sum, local.value());
    }
    CHECK(false);
  } catch (const Failure &f) {
    CHECK_EQ(f.at % 5, 4);
  }
  CHECK_EQ(Counted::live(), 0);
  // Caught inside, iteration by iteration.
  sum = 0;
  cilk_for (int i = 0; i < n; ++i) {
    try {
      if (i % 2) throw Failure(i);
      add(sum, 1);
    } catch (const Failure &f) {
      CHECK_EQ(f.at, i);
      add(sum, 100);
    }
  }
  CHECK_EQ(sum, (n + 1) / 2 + n / 2 * 100);
  sum = 0;
  cilk_for (int i = 0; i < n; ++i) {
    try {
      cilk_spawn [&] {
        if (i % 2) throw Failure(i);
      }();
      add(sum, 1);
    } catch (const Failure &f) {
      CHECK_EQ(f.at, i);
      sum += 1000;
    }
  }
  CHECK(sum >= (n + 1) / 2 + n / 2 * 1000);
  CHECK_EQ(Counted::live(), 0);
}

// Limit, stride and start are evaluated once, in this order; the variable is the iteration's own.
int evaluated = 0;
int watch(int at, int value) {
#if defined(CILK_SERIAL)
  (void)at;
#else
  CHECK_EQ(evaluated, at);
#endif
  ++evaluated;
  return value;
}
void once(int n) {
  evaluated = 0;
  std::atomic<long> sum{0};
  cilk_for (int i = watch(0, 3), j = watch(1, 2); i < (Counted(), watch(2, n)); i += watch(3, 2)) {
    CHECK_EQ(Counted::live(), 0);
    sum += i * j;
  }
#if !defined(CILK_SERIAL)
  CHECK_EQ(evaluated, 4);
#endif
  long expected = 0;
  for (int i = 3; i < n; i += 2) expected += 2 * i;
  CHECK_EQ(sum, expected);
}

void copies(int n) {
  std::vector<std::function<int()>> functions(n);
  cilk_for (int i = 0; i < n; ++i) {
    int *p = &i;
    functions[i] = [=] { return i; };
    linger();
    CHECK_EQ(*p, i);
  }
  for (int i = 0; i < n; ++i) CHECK_EQ(functions[i](), i);
}

template <class T>
struct Matrix {
  std::vector<T> cells;
  size_t width;

  template <class F>
  void apply(F f) {
#pragma cilk grainsize width / 2
    cilk_for (size_t i = 0; i < cells.size(); ++i) f(*this, i);
  }
  void reset(T value) {
    cilk_for (auto &cell : cells) cell = value;
    auto twice = [this](auto &self, auto low, auto high) {
      cilk_for (auto i = low; i < high; ++i) self.cells[i] += T(width - width + 1);
    };
    twice(*this, 0, int(cells.size()));
    twice(*this, 0l, long(cells.size()));
  }
};

void templates(int n) {
  Matrix<double> m{std::vector<double>(n * n), size_t(n)};
  m.reset(3);
  m.apply([](auto &self, size_t i) { self.cells[i] *= double(i); });
  Matrix<std::string> s{std::vector<std::string>(n), size_t(n)};
  s.apply([n](auto &self, size_t i) {
    cilk_for (int j = 0; j < 3; ++j)
      if (j == 1) self.cells[i] = std::to_string(i + n);
  });
  for (int i = 0; i < n * n; ++i) CHECK(m.cells[i] == 5.0 * i);
  for (int i = 0; i < n; ++i) CHECK(s.cells[i] == std::to_string(i + n));
}

void grains(int n) {
  for ([[maybe_unused]] int grain : {-1, 0, 1, 2, 7, 1000000}) {
    std::atomic<long> sum{0};
#pragma cilk grainsize = grain
    cilk_for (int i = 0; i < n; ++i) add(sum, i);
    CHECK_EQ(sum, triangle(n));
#pragma cilk_grainsize = unsigned(grain)
    cilk_for (int i = 0; i < n; ++i) add(sum, i);
    CHECK_EQ(sum, 2 * triangle(n));
    auto loop = [&] {
      _Pragma("cilk grainsize grain > 0 ? grain : 3") cilk_for (int i = 0; i < n; ++i) add(sum, i);
    };
    loop();
    CHECK_EQ(sum, 3 * triangle(n));
  }
}

// By reference, const, this, and what is only read.
struct Scale {
  double factor;
  void run(const std::vector<double> &in, std::vector<double> &out) const {
    cilk_for (size_t i = 0; i < in.size(); ++i) out[i] = in[i] * factor;
  }
};
Scale make(int n) noexcept {
  cilk_for (int i = 0; i < n; ++i) linger();
  return {2.5};
}
struct Built {
  std::vector<int> v;
  explicit Built(int n) : v(n) {
    cilk_for (int i = 0; i < n; ++i) v[i] = i;
  }
  ~Built() {
    cilk_for (auto &x : v) x = 0;
  }
};

void members(int n) {
  std::vector<double> in(n, 2), out(n);
  make(20).run(in, out);
  for (double x : out) CHECK(x == 5);
  Built built(n);
  for (int i = 0; i < n; ++i) CHECK_EQ(built.v[i], i);
}

}  // namespace

int main(int argc, char **argv) {
  int n = int(size_argument(argc, argv, 60));
  spawns(n);
  mixed(n);
  nested(n / 6);
  places(n);
  exceptions(n);
  once(n);
  copies(n);
  templates(n / 3);
  grains(n);
  members(n);
  printf("%d iterations\n", n);
  return 0;
}
