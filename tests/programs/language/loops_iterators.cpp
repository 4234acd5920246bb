// cilk_for over pointers, iterators and ranges: library iterators, classes with destructors and
// operators of their own, range-for in all its forms. Every element is visited once, every object
// that is made is destroyed.
//
// matrix: flags -std=c++20

#include <cilk/cilk.h>

#include <array>
#include <atomic>
#include <compare>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <list>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

// An index into an array, as a class with the operators of a random-access iterator and no more,
// which counts its copies.
template <class Difference>
class Cursor {
 public:
  explicit Cursor(long *base) : counted_(7), at_(base) {}
  Cursor &operator++() { return ++at_, *this; }
  Cursor operator++(int) {
    Cursor old = *this;
    return ++at_, old;
  }
  Cursor &operator--() { return --at_, *this; }
  Cursor &operator+=(Difference n) { return at_ += n, *this; }
  Cursor &operator-=(Difference n) { return at_ -= n, *this; }
  friend Cursor operator+(Cursor a, Difference n) { return a += n; }
  friend Cursor operator-(Cursor a, Difference n) { return a -= n; }
  friend Difference operator-(const Cursor &a, const Cursor &b) {
    return Difference(a.at_ - b.at_);
  }
  bool operator==(const Cursor &other) const { return at_ == other.at_; }  // != is rewritten
  auto operator<=>(const Cursor &other) const { return at_ <=> other.at_; }
  long &operator*() const {
    CHECK_EQ(counted_.value(), 7);
    return *at_;
  }

 private:
  Counted counted_;
  long *at_;
};

struct Sentinel {
  long *end;
};
class Counting {
 public:
  explicit Counting(long *at) : at_(at) {}
  Counting &operator++() { return ++at_, *this; }
  Counting &operator+=(long n) { return at_ += n, *this; }
  long &operator*() const { return *at_; }
  friend bool operator!=(const Counting &a, Sentinel s) { return a.at_ != s.end; }
  [[maybe_unused]] friend long operator-(Sentinel s, const Counting &a) { return s.end - a.at_; }

 private:
  long *at_;
};
struct Range {
  std::vector<long> &v;
  Counting begin() const { return Counting(v.data()); }
  Sentinel end() const { return {v.data() + v.size()}; }
};

std::vector<long> numbers(long n) {
  std::vector<long> v(n);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

// Each loop adds 1000 to the elements that it visits. This subtracts it again and checks `stride`.
template <class Container>
void visited(Container &c, long stride, long first = 0) {
  long i = 0;
  for (auto &x : c) {
    CHECK_EQ(x, i >= first && (i - first) % stride == 0 ? i + 1000 : i);
    x = i++;
  }
}

void pointers(long n) {
  auto v = numbers(n);
  long *begin = v.data(), *end = begin + n;
  cilk_for (long *p = begin; p != end; ++p) *p += 1000;
  visited(v, 1);
  cilk_for (auto p = begin; end > p; p += 3) *p += 1000;
  visited(v, 3);
  cilk_for (const long *p = end - 1; p >= begin; p--) begin[p - begin] += 1000;
  visited(v, 1);
  int stride = 5;
  cilk_for (long *p = begin; p < end; p = p + stride) *p += 1000;
  visited(v, stride);
  cilk_for (long *p = begin + (n - 1) / 4 * 4, *q = begin; q <= p; p -= 4) *p += 1000;
  visited(v, 4);
  long array[3][4] = {};
  cilk_for (long (*row)[4] = array; row != array + 3; ++row)
    cilk_for (long *p = *row; p < *row + 4; ++p) *p = row - array;
  for (int i = 0; i < 12; ++i) CHECK_EQ(array[i / 4][i % 4], i / 4);
  cilk_for (long *p = begin; p < begin; ++p) CHECK(false);  // matrix: never (no iterations)
}

template <class Container>
void library(long n) {
  auto from = numbers(n);
  Container c(from.begin(), from.end());
  cilk_for (auto i = c.begin(); i != c.end(); ++i) *i += 1000;
  visited(c, 1);
  cilk_for (auto i = c.begin(); i < c.end(); i++) *i += 1000;
  visited(c, 1);
  cilk_for (typename Container::iterator i(c.begin()); c.end() > i; i += 1) *i += 1000;
  visited(c, 1);
  cilk_for (auto i = c.end() - 1; i >= c.begin(); --i) *i += 1000;
  visited(c, 1);
  cilk_for (auto i = c.rbegin(), e = c.rend(); i != e; ++i) *i += 1000;
  visited(c, 1);
  cilk_for (auto i = c.rbegin(); i < c.rend(); i = i + 2) *i += 1000;
  visited(c, 2, (n + 1) % 2);
  cilk_for (auto &x : c) x += 1000;
  visited(c, 1);
  cilk_for (auto &&x : c) {
    if (x % 2) continue;
    x += 1000;
  }
  visited(c, 2);
  std::atomic<long> sum{0};
  cilk_for (const auto x : c) sum += x;
  CHECK_EQ(sum, n * (n - 1) / 2);
}

template <class Difference>
void cursors(long n) {
  CHECK_EQ(Counted::live(), 0);
  auto v = numbers(n);
  {
    Cursor<Difference> begin(v.data()), end(v.data() + n);
    cilk_for (auto i = begin; i != end; ++i) *i += 1000;
    visited(v, 1);
    cilk_for (Cursor<Difference> i(v.data()); Cursor<Difference>(v.data() + n) != i; i++)
      *i += 1000;
    visited(v, 1);
    cilk_for (auto i = begin; i < end; i += 3) *i += 1000;
    visited(v, 3);
    cilk_for (auto i = begin + (n - 1) / 4 * 4; i >= begin; i -= 4) *i += 1000;
    visited(v, 4);
    cilk_for (auto i = begin; i <= end - 1; i = i + 2) *i += 1000;
    visited(v, 2);
    cilk_for (auto i = end; i > begin; --i) *(i - 1) += 1000;
    visited(v, 1);
  }
  CHECK_EQ(Counted::live(), 0);
}

struct Pair {
  long key, value;
};

void ranges(long n) {
  auto v = numbers(n);
  std::vector<Pair> pairs;
  for (long x : v) pairs.push_back({x, 2 * x});
  cilk_for (auto &[key, value] : pairs) value += key;
  for (auto &p : pairs) CHECK_EQ(p.value, 3 * p.key);
  std::atomic<long> sum{0};
  cilk_for (auto [key, value] : pairs) {
    key += value;
    sum += key;
  }
  CHECK_EQ(sum, 4 * n * (n - 1) / 2);

  cilk_for (long &x : Range{v}) x += 1000;
  visited(v, 1);
  cilk_for (auto &w = v; auto &x : w) x += 1000;  // C++20
  visited(v, 1);
  cilk_for (auto &x : std::span(v)) x += 1000;
  visited(v, 1);
  long array[] = {1, 2, 3, 4, 5, 6, 7};
  cilk_for (long &x : array) x *= 2;
  for (int i = 0; i < 7; ++i) CHECK_EQ(array[i], 2 * i + 2);
  sum = 0;
  cilk_for (int x : {1, 2, 3, 4}) sum += x;
  CHECK_EQ(sum, 10);
  sum = 0;
  cilk_for (char c : std::string("range")) sum += c;  // the temporary lives as long as the loop
  CHECK_EQ(sum, 'r' + 'a' + 'n' + 'g' + 'e');
  sum = 0;
  std::vector<bool> bits(100);
  for (int i = 0; i < 100; i += 3) bits[i] = true;
  cilk_for (bool bit : bits) sum += bit;
  CHECK_EQ(sum, 34);
  std::vector<Counted> objects(20, Counted(3));
  sum = 0;
  cilk_for (Counted x : objects) sum += x.value();
  CHECK_EQ(sum, 60);
  CHECK_EQ(Counted::live(), 20);
  std::array<std::vector<int>, 0> nothing;
  cilk_for (auto &x : nothing) x.clear();  // matrix: never (no iterations)
}

// A range whose begin, end and temporaries are counted: each is evaluated once.
std::atomic<int> begins{0}, ends{0};
struct Watched {
  std::vector<long> v;
  Counted counted;
  auto begin() { return ++begins, v.begin(); }
  auto end() { return ++ends, v.end(); }
};
void once() {
  std::atomic<long> sum{0};
  cilk_for (long x : Watched{numbers(50), Counted(1)}) sum += x;
  CHECK_EQ(sum, 1225);
  CHECK_EQ(begins, 1);
  CHECK_EQ(ends, 1);
  CHECK_EQ(Counted::live(), 0);
  Watched w{numbers(50), Counted(1)};
  cilk_for (auto i = w.begin(), e = w.end(); i != e; ++i) sum += *i;
  CHECK_EQ(sum, 2450);
  CHECK_EQ(begins, 2);
  CHECK_EQ(ends, 2);
}

}  // namespace

int main(int argc, char **argv) {
  long n = size_argument(argc, argv, 61);
  pointers(n);
  library<std::vector<long>>(n);
  library<std::deque<long>>(n);
  cursors<long>(n);
  cursors<int>(n);
  cursors<short>(n);
  ranges(n);
  CHECK_EQ(Counted::live(), 0);
  once();
  CHECK_EQ(Counted::live(), 0);
  printf("%ld elements\n", n);
  return 0;
}
