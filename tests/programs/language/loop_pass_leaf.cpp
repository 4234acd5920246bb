// Loops as the passes see them: operands of a leaf by value and by address, the division of the
// range, spawns, loops and handlers in a leaf, and the thread, which a loop may change for the
// function around it.

#include <cilk/cilk.h>

#include <errno.h>

#include <array>
#include <cstdint>
#include <vector>

#include "../support/check.h"
#include "../support/counted.h"

#pragma clang diagnostic ignored "-Wunknown-pragmas"  // the serial elision does not know grains

namespace {

// Each iteration is run once, whatever the grain.
NOINLINE unsigned long once(std::uint64_t count, [[maybe_unused]] std::uint64_t grain) {
  std::vector<unsigned char> seen(count);
#pragma cilk grainsize grain
  cilk_for (std::uint64_t i = 0; i < count; ++i) ++seen[i];
  unsigned long sum = 0;
  for (const unsigned char times : seen) {
    CHECK_EQ(times, 1);
    sum += times;
  }
  return sum;
}

NOINLINE unsigned long constant_grain(int count) {
  std::vector<int> seen(static_cast<std::size_t>(count));
  int *const first = seen.data();
#pragma cilk grainsize 3
  cilk_for (int i = 0; i < count; ++i) ++first[i];
  unsigned long sum = 0;
  for (const int times : seen) sum += static_cast<unsigned long>(times);
  return sum;
}

// A variable that is read in a loop and written around it: each loop sees the last value before it.
NOINLINE long changes_between(int rounds) {
  long factor = 1, total = 0;
  std::array<long, 16> row{};
  for (int round = 0; round < rounds; ++round) {
    cilk_for (int i = 0; i < 16; ++i) row[static_cast<std::size_t>(i)] = factor * i;
    factor += 2;
    for (const long value : row) total += value;
  }
  return total * 1000 + factor;
}

// A variable whose address others know: the body calls a function that reads it through the
// address, and a child wrote it before.
NOINLINE void set(long *where, long value) {
  linger();
  *where = value;
}
NOINLINE long get(const long *where) { return *where; }

NOINLINE long known_to_others() {
  long shared = 0;
  const long *const view = &shared;
  cilk_spawn set(&shared, 5);
  linger();
  cilk_sync;
  std::array<long, 20> out{};
  cilk_for (int i = 0; i < 20; ++i) out[static_cast<std::size_t>(i)] = shared * i + get(view);
  long sum = 0;
  for (const long value : out) sum += value;
  return sum;
}

// A child runs beside a loop that mentions the variable that the child writes, but does not read
// it.
NOINLINE long in_flight(bool reads) {
  long slow = 0;
  std::array<long, 8> out{};
  cilk_spawn set(&slow, 7);
  cilk_for (int i = 0; i < 8; ++i) out[static_cast<std::size_t>(i)] = reads ? slow : i;
  cilk_sync;
  return slow + out[7];
}

// Only one iteration writes: the variable itself, not a copy.
NOINLINE int written_in_body(int n) {
  int found = -1;
  cilk_for (int i = 0; i < n; ++i)
    if (i == n / 2) found = i;
  return found;
}

// A volatile variable is read where the program reads it.
NOINLINE int volatile_limit(int n) {
  volatile int limit = n / 2;
  std::vector<char> below(static_cast<std::size_t>(n));
  cilk_for (int i = 0; i < n; ++i) below[static_cast<std::size_t>(i)] = i < limit;
  int count = 0;
  for (const char is_below : below) count += is_below;
  return count;
}

// More operands than a call has registers, of every class.
using Four = float __attribute__((vector_size(16)));
NOINLINE double many_operands(int n, char c, short s, float f, double d, long double l, __int128 w,
                              bool b, Four v) {
  std::vector<double> out(static_cast<std::size_t>(n));
  double *const first = out.data();
  int local = n;
  const unsigned _BitInt(37) odd = 12345678901;
  cilk_for (int i = 0; i < n; ++i)
    first[i] = c + s + static_cast<double>(f) + d + static_cast<double>(l) +
               static_cast<double>(w) + (b ? i : -i) + static_cast<double>(v[i & 3]) + local +
               static_cast<double>(odd);
  ++local;
  double sum = local;
  for (const double value : out) sum += value;
  return sum;
}

// A local of each iteration, one that spans the leaf's statements, and objects.
NOINLINE long objects(int n) {
  const Counted outer(3);
  std::vector<long> out(static_cast<std::size_t>(n));
  cilk_for (int i = 0; i < n; ++i) {
    const Counted mine(i);
    out[static_cast<std::size_t>(i)] = mine.value() * outer.value();
  }
  long sum = 0;
  for (const long value : out) sum += value;
  return sum;
}

NOINLINE long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);  // copies may be many
  const long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// Spawns in a leaf, a loop in a spawned block, a loop in a loop, a loop in a function that a loop
// calls.
NOINLINE long spawns_in_leaf(int n) {
  std::vector<long> out(static_cast<std::size_t>(n));
  cilk_for (int i = 0; i < n; ++i) {
    long a = cilk_spawn fib(i % 8);
    const long b = fib(i % 5);
    cilk_sync;
    out[static_cast<std::size_t>(i)] = a * 100 + b;
  }
  long sum = 0;
  for (const long value : out) sum += value;
  return sum;
}

NOINLINE long triangle(int n) {
  std::vector<std::vector<int>> rows(static_cast<std::size_t>(n));
  cilk_spawn {
    cilk_for (int i = 0; i < n; ++i) {
      rows[static_cast<std::size_t>(i)].resize(static_cast<std::size_t>(i) + 1);
      int *const row = rows[static_cast<std::size_t>(i)].data();
      cilk_for (int j = 0; j <= i; ++j) row[j] = i * 100 + j;
    }
  }
  long sum = fib(3) - 2;
  cilk_sync;
  for (const auto &row : rows)
    for (const int value : row) sum = sum * 3 % 1000003 + value;
  return sum;
}

// After a loop, in a function without a spawn, thread-locals and errno are those of the thread that
// continues.
thread_local int mine = 0;
NOINLINE int *address_of_mine() {
  asm volatile("" ::: "memory");
  return &mine;
}
NOINLINE void clear_errno() { errno = 0; }
NOINLINE int read_errno() { return errno; }

NOINLINE void thread_may_change(int depth) {
  mine = depth;
  errno = depth;
#pragma cilk grainsize 1
  cilk_for (int i = 0; i < 6; ++i) {
    clear_errno();
    *address_of_mine() = -1;
    if (depth > 0 && i % 3 == 1) thread_may_change(depth - 1);
  }
  mine = 100 + depth;
  errno = 200 + depth;
  CHECK_EQ(*address_of_mine(), 100 + depth);
  CHECK_EQ(read_errno(), 200 + depth);
}

}  // namespace

int main() {
  for (const std::uint64_t count : {0, 1, 2, 3, 7, 8, 9, 64, 100, 2049, 10000})
    for (const std::uint64_t grain : {0, 1, 2, 3, 7, 8, 100, 5000})
      printf("%lu ", once(count, grain));
  printf("\n%lu %lu %lu %lu\n", constant_grain(0), constant_grain(3), constant_grain(4),
         constant_grain(1000));
  printf("%ld\n", changes_between(20));
  printf("%ld %ld\n", known_to_others(), in_flight(false));
  printf("%d %d\n", written_in_body(1000), volatile_limit(1000));
  printf("%g\n", many_operands(100, 1, 2, 3, 4, 5, 6, true, Four{1, 2, 3, 4}));
  printf("%ld\n", objects(100));
  printf("%ld %ld\n", spawns_in_leaf(60), triangle(40));
  for (int round = 0; round < 5; ++round) thread_may_change(3);
  CHECK_EQ(Counted::live(), 0);
}
