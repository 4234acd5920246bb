// cilk_for over integers: every width and sign, up and down, every comparison with the variable on
// either side, every form of increment, strides that are variables, and limits at the end of the
// type.

#include <cilk/cilk.h>

#include <atomic>
#include <cstdint>
#include <limits>

#include "../support/check.h"

#pragma clang diagnostic ignored "-Wsign-compare"     // meant
#pragma clang diagnostic ignored "-Wunknown-pragmas"  // the grain

namespace {

// Which values were visited, how often, in any order.
class Visits {
 public:
  template <class T>
  void add(T value) {
    unsigned long state = (unsigned long)value;
    if constexpr (sizeof(T) > sizeof state)  // what is above 64 bits, also of a narrower _BitInt
      state += 3 * (unsigned long)(value >> 32 >> 32);
    count_.fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add(next_random(&state), std::memory_order_relaxed);
  }
  unsigned long count() const { return count_; }
  unsigned long sum() const { return sum_; }

 private:
  std::atomic<unsigned long> count_{0}, sum_{0};
};

unsigned long total = 1;
unsigned long iterations = 0;

void same(const Visits &parallel, const Visits &serial) {
  CHECK_EQ(parallel.count(), serial.count());
  CHECK_EQ(parallel.sum(), serial.sum());
  iterations += serial.count();
  total = mix(total, serial.sum());
}

#define SAME(DECLARATION, CONDITION, INCREMENT)                   \
  do {                                                            \
    Visits parallel, serial;                                      \
    cilk_for (DECLARATION; CONDITION; INCREMENT) parallel.add(i); \
    for (DECLARATION; CONDITION; INCREMENT) serial.add(i);        \
    same(parallel, serial);                                       \
  } while (0)

template <class T, class Limit>
void up(T low, Limit high) {
  SAME(T i = low, i < high, ++i);
  SAME(T i = low, i < high, i++);
  SAME(T i = low, high > i, i += 1);
  SAME(T i = low, i <= high, i = i + 1);
  SAME(T i = low, high >= i, i = 3 + i);
  SAME(T i = low, i < high, i += 7);
  SAME(T i = low, i <= high, i -= -2);
  if (low <= high) SAME(T i(low), i != high, ++i);
  if (low <= high) SAME(T i{low}, high != i, i++);
  for (T stride = 1; stride < 12; ++stride) {
    SAME(T i = low, i < high, i += stride);
    SAME(T i = low, i <= high, i = i + stride);
    SAME(T i = low, high > i, i = stride + i);
    if (low <= high) {
      T end = T(low + (high - low) / stride * stride);
      SAME(T i = low, i != end, i += stride);
    }
  }
}

template <class T, class Limit>
void down(T high, Limit low) {
  SAME(T i = high, i > low, --i);
  SAME(T i = high, i > low, i--);
  SAME(T i = high, low < i, i -= 1);
  SAME(T i = high, i >= low, i = i - 1);
  SAME(T i = high, low <= i, i -= 3);
  SAME(T i = high, i > low, i += -5);
  if (low <= high) SAME(T i = high, i != low, --i);
  for (int stride = 1; stride < 12; ++stride) {
    SAME(T i = high, i > low, i -= stride);
    SAME(T i = high, low <= i, i = i - stride);
    int back = -stride;
    SAME(T i = high, i >= low, i += back);
    if (low <= high) {
      T end = T(high - (high - low) / stride * stride);
      SAME(T i = high, i != end, i -= stride);
      SAME(T i = high, end != i, i += back);
    }
  }
}

// Away from the ends of T, so that the serial loop ends.
template <class T, class Limit>
void inside() {
  const T pairs[][2] = {{20, 100}, {20, 21}, {20, 20}, {21, 20}, {100, 30}, {17, 59}};
  for (auto &pair : pairs) {
    up<T, Limit>(pair[0], pair[1]);
    down<T, Limit>(pair[0], pair[1]);
  }
  if (std::numeric_limits<T>::is_signed) {
    up<T, Limit>(T(-50), 40);
    up<T, Limit>(T(-50), T(-20));
    down<T, Limit>(40, T(-50));
    down<T, Limit>(T(-20), T(-60));
  }
}

// The serial loop would go on for ever.
template <class T>
void ends() {
  const T max = std::numeric_limits<T>::max(), min = std::numeric_limits<T>::min();
#if !defined(CILK_SERIAL)
  std::atomic<unsigned long> count{0}, last{0}, first{0};
  auto visit = [&](T i, T from, T to) {
    ++count;
    if (i == from) ++first;
    if (i == to) ++last;
  };
  auto visited = [&](unsigned long n) {
    CHECK_EQ(count.exchange(0), n);
    CHECK_EQ(first.exchange(0), 1);
    CHECK_EQ(last.exchange(0), 1);
  };
  cilk_for (T i = T(max - 100); i <= max; ++i) visit(i, T(max - 100), max);
  visited(101);
  cilk_for (T i = T(max - 100); max >= i; i += 3) visit(i, T(max - 100), T(max - 1));
  visited(34);
  cilk_for (T i = T(min + 100); i >= min; --i) visit(i, T(min + 100), min);
  visited(101);
  T stride = 3;
  cilk_for (T i = T(min + 100); i >= min; i -= stride) visit(i, T(min + 100), T(min + 1));
  visited(34);
  cilk_for (T i = T(max - 100); i < max; i += 99) visit(i, T(max - 100), T(max - 1));
  visited(2);
  stride = max / 2;
  cilk_for (T i = 0; i <= max; i += stride) visit(i, 0, T(max - 1));
  visited(3);
  if (sizeof(T) == 1) {
    cilk_for (T i = min; i <= max; ++i) visit(i, min, max);
    visited(256);
    cilk_for (T i = max; i >= min; --i) visit(i, max, min);
    visited(256);
  }
#endif
  SAME(T i = T(max - 100), i < max, ++i);
  SAME(T i = T(max - 100), i != max, i++);
  SAME(T i = T(min + 100), i > min, --i);
  SAME(T i = T(min + 100), min != i, i--);
  SAME(T i = max, i < max, ++i);  // matrix: never (no iterations)
  SAME(T i = min, i > min, --i);  // matrix: never (no iterations)
}

template <class T>
void all() {
  inside<T, T>();
  ends<T>();
}

// Mixed types compare as the language says.
void mixed() {
  int minus = -1;
  unsigned few = 5;
  SAME(unsigned i = 4294967290u, i < minus, ++i);  // as unsigned
  SAME(long i = -3, i < few, ++i);
  SAME(short i = -3, i < 5L, ++i);
  SAME(unsigned char i = 250, i < 255, ++i);
  SAME(unsigned i = 4294967290u, i != 3u, ++i);  // around the end
  SAME(unsigned i = 3u, i != 4294967290u, --i);
  SAME(long i = -5000000000L, i < -4999999990L, ++i);
  SAME(unsigned long i = 10, i > few, i += minus);
  SAME(wchar_t i = L'a', i <= L'z', ++i);
  SAME(char i = 'a', i <= 'z', ++i);
  SAME(char16_t i = u'a', i != u'z', ++i);
  SAME(char32_t i = U'a', U'z' >= i, i += 2);
}

struct Convertible {
  operator int() const { return 12; }
};
enum Unscoped { kTen = 10 };

void limits() {
  SAME(int i = 0, i < Convertible(), ++i);
  SAME(int i = 0, kTen > i, ++i);
  SAME(int i = Convertible(), i < 40, i += kTen);
  SAME(volatile int i = 0, i < 9, i = i + 1);
  SAME(auto i = 3ul, i < 9, ++i);
  SAME(_BitInt(13) i = -3, i < 9, ++i);
  SAME(unsigned _BitInt(64) i = 3, i <= 9, ++i);
}

// Nearly all of a type of 64 bits, around the ends of narrow types, and wider types.
void wide() {
  SAME(int64_t i = INT64_MIN, i < INT64_MAX / 2, i += INT64_MAX / 4);
  SAME(uint64_t i = UINT64_MAX - 1, i > 5, i -= UINT64_MAX / 2);
  SAME(uint32_t i = 0, i < UINT32_MAX - UINT32_MAX / 5, i += UINT32_MAX / 5);
  SAME(uint64_t i = 1, i < UINT64_MAX / 2, i += ~0ull / 2 + 2);  // matrix: never (one iteration)
  SAME(unsigned char i = 250, i != 5, i++);
  SAME(signed char i = 100, i != -100, ++i);
  SAME(char16_t i = 5, i != 65000, i--);
  SAME(unsigned short i = 65'000, i != 10, i += 2);
  SAME(unsigned _BitInt(7) i = 120, i != 4, i += 4);
  const __int128 big = (__int128)1 << 100, step = big / 5;
  SAME(__int128 i = big, i <= big + 100, i += 7);
  SAME(__int128 i = -5 * step, i != 4 * step, i += step);
  SAME(__int128 i = big, i > 0, i += -((__int128)1 << 96));
  SAME(unsigned __int128 i = -(unsigned __int128)1, i > (unsigned __int128)1 << 125,
       i -= (unsigned __int128)1 << 125);
  SAME(int i = 0, i < (__int128)100, ++i);
  SAME(long i = 90, i > 0, i -= big >> 97);
  SAME(unsigned _BitInt(65) i = -9, i != (unsigned _BitInt(65))9, i += 3);
  SAME(_BitInt(200) i = -3, i < 300, i += 5);
  [[maybe_unused]] __int128 grain = 10;
  long sum = 0;
#pragma cilk grainsize grain
  cilk_for (__int128 i = big; i < big + 100; ++i) __atomic_fetch_add(&sum, long(i - big), 0);
  CHECK_EQ(sum, 4950);
}

}  // namespace

int main() {
  all<signed char>();
  all<unsigned char>();
  all<short>();
  all<unsigned short>();
  all<int>();
  all<unsigned>();
  all<long>();
  all<unsigned long>();
  inside<signed char, const long &>();
  inside<unsigned, const long &>();
  inside<long, const long &>();
  mixed();
  limits();
  wide();
  printf("%lu iterations, checksum %lx\n", iterations, total);
  return 0;
}
