// Locals of functions that spawn: large frames, over-aligned objects, arrays, loops that the
// optimizer vectorizes between spawns, many values live at once. vectors.cpp has the same with AVX
// types.
//
// matrix: segments default (frames of a megabyte)

#include <cilk/cilk.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "../support/check.h"

namespace {

NOINLINE long work(long n) {
  linger();
  return n * n - n;
}

NOINLINE void fill(char *begin, std::size_t size, char value) { std::memset(begin, value, size); }

NOINLINE bool is_aligned(const void *address, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(address) % alignment == 0;
}

// More than a megabyte of locals, which children write to and the continuation reads.
long large_frame(int depth) {
  std::array<char, 600 * 1024> first, second;
  cilk_spawn fill(first.data(), first.size(), static_cast<char>(depth + 1));
  fill(second.data(), second.size(), static_cast<char>(depth + 2));
  long below = 0;
  if (depth > 0) below = cilk_spawn large_frame(depth - 1);
  cilk_sync;
  long sum = 0;
  for (std::size_t i = 0; i < first.size(); i += 4096) sum += first[i] + second[i];
  return sum + below;
}

struct alignas(64) Line {
  long values[8];
};
struct alignas(256) Page {
  char bytes[256];
};

NOINLINE Line make_line(long n) {
  linger();
  Line line;
  for (long &value : line.values) value = n++;
  return line;
}
NOINLINE long line_sum(Line line, const Page &page) {
  CHECK(is_aligned(&line, alignof(Line)) && is_aligned(&page, alignof(Page)));
  long sum = page.bytes[255];
  for (long value : line.values) sum += value;
  return sum;
}

long over_aligned(long n) {
  char small = 'a';
  Line line = make_line(n);
  Page page;
  fill(page.bytes, sizeof page.bytes, 7);
  alignas(128) long aligned = n;
  long a = cilk_spawn line_sum(line, page);
  CHECK(is_aligned(&line, 64) && is_aligned(&page, 256) && is_aligned(&aligned, 128));
  Line returned = cilk_spawn make_line(n + 1);
  Line lines[3];
  for (int i = 0; i < 3; ++i) lines[i] = cilk_spawn make_line(i);
  aligned = aligned * 3 + small;
  long b = 0;
  if (n > 2) b = cilk_spawn over_aligned(n - 1);
  cilk_sync;
  CHECK(is_aligned(&returned, 64) && is_aligned(&lines[1], 64) && is_aligned(&aligned, 128));
  return a + b + aligned + returned.values[7] + lines[2].values[7];
}

// Loops with nothing that must be serial in them, between spawns and over what children made.
long vectorized(int n) {
  float a[512], b[512];
  std::int32_t counts[512];
  long made[4] = {};
  for (int i = 0; i < 512; ++i) {
    a[i] = static_cast<float>(i);
    counts[i] = i * n;
  }
  made[0] = cilk_spawn work(n);
  for (int i = 0; i < 512; ++i) b[i] = a[i] * 2 + 1;
  made[1] = cilk_spawn work(n + 1);
  std::int64_t sum = 0;
  for (int i = 0; i < 512; ++i) sum += counts[i] ^ i;
  cilk_spawn [&a, n] {
    for (float &value : a) value += static_cast<float>(n);
  }();
  cilk_spawn [&b] {
    for (float &value : b) value *= 0.5f;
  }();
  std::int32_t largest = 0;
  for (int count : counts) largest = count > largest ? count : largest;
  cilk_sync;
  double total = 0;
  for (int i = 0; i < 512; ++i) total += a[i] + b[i];
  return sum + largest + made[0] + made[1] + static_cast<long>(total);
}

// More live values than there are registers, of several types.
long many_live(long n) {
  long a = n, b = n * 2, c = n ^ 3, d = n - 4, e = n + 5, f = n * 6, g = n | 7, h = n & 8, i = -n,
       j = n / 2, k = n % 3, l = 12;
  double p = static_cast<double>(n) / 2, q = p * p, r = q - p, s = 1 / (1 + q), t = p + 5,
         u = q * 2, v = r + 1, w = 3;
  long x = cilk_spawn work(a + b);
  long y = cilk_spawn work(c + d);
  e += k;
  w += p;
  long z = 1;
  if (n > 1) z = cilk_spawn many_live(n - 1);
  cilk_sync;
  return x + y + z + (a ^ b ^ c ^ d) + e + f + g + h + i + j + k + l +
         static_cast<long>((p + q + r) * (s + t) + (u + v) * w);
}

// An address that the function hands out before a spawn is the same after it, in every clone.
long stable_addresses(long n) {
  long local = n, *address = &local;
  const long *volatile remembered = &local;
  char buffer[33], *const begin = buffer;
  fill(buffer, sizeof buffer, 'z');
  for (int i = 0; i < 10; ++i) {
    cilk_spawn [address, remembered_by_value = static_cast<const long *>(remembered)] {
      linger();
      CHECK(remembered_by_value == address);
    }();
    CHECK(remembered == &local && begin == &buffer[0]);
    cilk_spawn [] {}();
    CHECK(address == &local && buffer[32] == 'z');
  }
  cilk_spawn [address] { *address += 5; }();
  cilk_sync;
  return local;
}

}  // namespace

int main() {
  printf("large frame: %ld\n", large_frame(2));
  for (long n = 0; n < 8; ++n) {
    printf("%ld: %ld %ld %ld %ld\n", n, over_aligned(n), vectorized(static_cast<int>(n)),
           many_live(n), stable_addresses(n));
  }
  return 0;
}
