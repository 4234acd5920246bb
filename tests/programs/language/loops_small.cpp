// Loops that are not worth a steal: few iterations without calls. They run in place, like the
// serial loop, but under chaos each of them is divided, so the lines below have sites that are
// stolen. Trip counts are constant or not; the loops stand in functions that spawn, in loops, in
// loop bodies and in templates. Some have inner loops, whose trip counts decide whether the loop is
// small.

#include <cilk/cilk.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "../support/check.h"

namespace {

constexpr int kFew = 40;

NOINLINE void constant(std::uint32_t *out, std::uint32_t term) {
  cilk_for (int i = 0; i < kFew; ++i) {  // matrix: some (chaos)
    out[i] = out[i] * 3 + static_cast<std::uint32_t>(i) + term;
  }
}

NOINLINE void counted(std::uint32_t *out, int n, std::uint32_t term) {
  cilk_for (int i = 0; i < n; ++i) {  // matrix: some (chaos)
    out[i] = out[i] * 5 + static_cast<std::uint32_t>(i) + term;
  }
}

// More operands than go directly.
NOINLINE void many(std::uint32_t *out, const std::uint32_t *a, const std::uint32_t *b,
                   const std::uint32_t *c, const std::uint32_t *d, int n) {
  cilk_for (int i = 0; i < n; ++i) {  // matrix: some (chaos)
    out[i] = a[i] + 2 * b[i] + 3 * c[i] + 4 * d[i];
  }
}

// A local array, which is no longer in memory if the loop runs in place.
NOINLINE std::uint32_t local(std::uint32_t seed) {
  std::array<std::uint32_t, 4> part{seed, seed + 1, seed + 2, seed + 3};
  cilk_for (std::size_t i = 0; i < 4; ++i) {  // matrix: some (chaos)
    part[i] = part[i] * part[i] + seed;
  }
  return part[0] ^ part[1] ^ part[2] ^ part[3];
}

// The iterations of the outer loop run beside one another, each with a small loop.
NOINLINE void nested(std::uint32_t *out, int rows) {
  cilk_for (int row = 0; row < rows; ++row) {  // matrix: some (an iteration has a loop)
    std::uint32_t *const mine = out + row * kFew;
    cilk_for (int i = 0; i < kFew; ++i) {  // matrix: some (chaos)
      mine[i] += static_cast<std::uint32_t>(row * i);
    }
  }
}

// The function's own children run beside the loop.
NOINLINE std::uint32_t beside_children(std::uint32_t *out, std::uint32_t term) {
  std::array<std::uint32_t, kFew> mine{};
  cilk_spawn constant(out, term);
  cilk_for (int i = 0; i < kFew; ++i) {  // matrix: some (chaos)
    mine[static_cast<std::size_t>(i)] = term + static_cast<std::uint32_t>(i);
  }
  cilk_spawn counted(mine.data(), kFew, term);
  cilk_sync;
  std::uint32_t sum = 0;
  for (const std::uint32_t value : mine) sum = sum * 31 + value;
  return sum;
}

// Inner loops whose trip counts are known before: none, few, many, and a negative number.
NOINLINE void rounds(std::uint32_t *out, int n, int m) {
  cilk_for (int i = 0; i < n; ++i) {  // matrix: some (small, but chaos)
    std::uint32_t x = out[i];
    for (int k = 0; k < m; ++k) x = x * 3 + static_cast<std::uint32_t>(k ^ i);
    out[i] = x;
  }
}

NOINLINE void two_deep(std::uint32_t *out, int n, unsigned m, const std::uint64_t *l) {
  cilk_for (int i = 0; i < n; ++i) {  // matrix: some (small, but chaos)
    std::uint32_t x = out[i];
    if (m > 2)
      for (unsigned k = 1; k < m; k += 3)
        for (std::uint64_t j = *l; j > 0; --j)
          x = (x ^ k) * 16777619U + static_cast<std::uint32_t>(j);
    out[i] = x;
  }
}

template <class T, int N>
NOINLINE T of_type(T factor) {
  std::array<T, N> values{};
  cilk_for (int i = 0; i < N; ++i) {  // matrix: some (chaos)
    values[static_cast<std::size_t>(i)] = static_cast<T>(factor * static_cast<T>(i));
  }
  T sum{};
  for (const T value : values) sum = static_cast<T>(sum + value);
  return sum;
}

// Grains of the program's own count.
NOINLINE void given(std::uint32_t *out) {
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma cilk grainsize 1
  cilk_for (int i = 0; i < kFew; ++i) {  // matrix: some (a leaf each)
    out[i] ^= static_cast<std::uint32_t>(i);
  }
}

// Objects around the loop are destroyed once, however the loop runs.
struct Guard {
  explicit Guard(int *where) : where(where) { ++*where; }
  Guard(const Guard &) = delete;
  Guard &operator=(const Guard &) = delete;
  ~Guard() { *where += 100; }
  int *where;
};

NOINLINE int guarded(std::uint32_t *out) {
  int count = 0;
  {
    const Guard guard(&count);
    cilk_for (int i = 0; i < kFew; ++i) out[i] -= 7;  // matrix: some (small, but chaos)
  }
  return count;
}

std::uint32_t checksum(const std::uint32_t *values, std::size_t n) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum = sum * 16777619U ^ values[i];
  return sum;
}

}  // namespace

int main() {
  std::array<std::uint32_t, kFew * 8> out{};
  for (std::uint32_t round = 0; round < 30; ++round) {
    constant(out.data(), round);
    counted(out.data(), static_cast<int>(round), round);
    many(out.data(), out.data() + kFew, out.data() + 2 * kFew, out.data() + 3 * kFew,
         out.data() + 4 * kFew, kFew);
    nested(out.data(), 8);
    CHECK_EQ(guarded(out.data()), 101);
    given(out.data());
    for (const int m : {0, 1, 7, -3, 300, -2147483647}) rounds(out.data(), kFew, m);
    for (const std::uint64_t l : {0, 1, 9, 600}) two_deep(out.data(), kFew - 5, round, &l);
    std::printf("%u: %08x %08x %08x\n", round, checksum(out.data(), out.size()), local(round),
                beside_children(out.data(), round));
  }
  std::printf("%d %g %u\n", of_type<int, 17>(3), of_type<double, 33>(0.5),
              static_cast<unsigned>(of_type<unsigned char, 50>(7)));
  return 0;
}
