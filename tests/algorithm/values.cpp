// The algorithms of <cilk/algorithm.h> against those of the standard library: sizes around each
// division into blocks, all kinds of iterators and ranges, operations that do not commute, types
// that only move. Sums of doubles and the order of equal elements after sort are printed: they are
// the same for any number of workers.

#include <cilk/algorithm.h>
#include <cilk/cilk_api.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>
#if __has_include(<ranges>)
#include <ranges>
#endif

#include "../programs/support/check.h"

namespace {

using Numbers = std::vector<unsigned>;

Numbers random_numbers(long n, unsigned long seed, unsigned below = ~0u) {
  Numbers numbers(static_cast<std::size_t>(n));
  for (unsigned &number : numbers) number = static_cast<unsigned>(next_random(&seed)) % below;
  return numbers;
}

// x -> a x + b modulo 2^32: composition is associative and does not commute.
struct Affine {
  unsigned a = 1, b = 0;
  friend bool operator==(Affine x, Affine y) { return x.a == y.a && x.b == y.b; }
};
struct Compose {
  unsigned salt;  // a state that must arrive
  Affine operator()(Affine f, Affine g) const {
    CHECK(salt == 7);
    return {f.a * g.a, f.b * g.a + g.b};
  }
};
Affine affine_of(unsigned number) { return {number | 1, number >> 3}; }

unsigned long bits_of(double value) {
  unsigned long bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// ---- loops ----

// Leaves of many elements begin where vectors are aligned, if the first element is.
void grains() {
  for (long n : {1009L, 1'000'000L, 1'000'003L, 123'456'789L})
    CHECK(cilk::detail::grain_for(n) % 64 == 0);
  CHECK(cilk::detail::grain_for(123'456'789) > 2048);
}

void loops(const Numbers &in) {
  Numbers out(in.size()), expected(in.size());
  cilk::for_each(in.begin(), in.end(),
                 [&](const unsigned &x) { out[static_cast<std::size_t>(&x - in.data())] = ~x; });
  std::transform(in.begin(), in.end(), expected.begin(), [](unsigned x) { return ~x; });
  CHECK(out == expected);
  cilk::for_each(out, [](unsigned &x) { ++x; });
  for (unsigned &x : expected) ++x;
  CHECK(out == expected);
  CHECK(cilk::transform(in.begin(), in.end(), out.begin(), [](unsigned x) { return x / 3; }) ==
        out.end());
  std::transform(in.begin(), in.end(), expected.begin(), [](unsigned x) { return x / 3; });
  CHECK(out == expected);
  CHECK(cilk::transform(in, out, out.begin(), std::minus<>{}) == out.end());
  std::transform(in.begin(), in.end(), expected.begin(), expected.begin(), std::minus<>{});
  CHECK(out == expected);
  cilk::transform(out, out.begin(), [](unsigned x) { return x + 1; });  // in place
  cilk::transform(in.begin(), in.end(), out.begin(), out.begin(), std::bit_xor<>{});
  for (std::size_t i = 0; i < in.size(); ++i) CHECK(out[i] == (in[i] ^ (expected[i] + 1)));
}

void invokes() {
  int a = 0, b = 0, c = 0;
  auto set_b = [&b] { linger(), b = 2; };
  cilk::invoke([&] { linger(), a = 1; }, set_b, [&] { c = 3; });
  CHECK(a == 1 && b == 2 && c == 3);
  cilk::invoke([&] { a = 4; });
  CHECK(a == 4);
}

// ---- reductions ----

unsigned long reductions(const Numbers &in) {
  const auto sum = std::accumulate(in.begin(), in.end(), 5u);
  CHECK(cilk::reduce(in.begin(), in.end(), 5u) == sum);
  CHECK(cilk::reduce(in, 5u, [](unsigned x, unsigned y) { return x + y; }) == sum);
  CHECK(cilk::reduce(in) + 5u == sum && cilk::reduce(in.begin(), in.end()) + 5u == sum);
  CHECK(cilk::reduce(in, 0u, cilk::maximum{}) ==
        (in.empty() ? 0 : *std::max_element(in.begin(), in.end())));

  std::vector<Affine> functions;
  for (unsigned x : in) functions.push_back(affine_of(x));
  const Compose compose{7};
  CHECK(cilk::reduce(functions, Affine{3, 4}, compose) ==
        std::accumulate(functions.begin(), functions.end(), Affine{3, 4}, compose));
  CHECK(cilk::transform_reduce(in, Affine{}, compose, affine_of) ==
        std::accumulate(functions.begin(), functions.end(), Affine{}, compose));
  CHECK(cilk::transform_reduce(in.begin(), in.end(), functions.begin(), 0u, std::plus<>{},
                               [](unsigned x, Affine f) { return x * f.b; }) ==
        std::inner_product(in.begin(), in.end(), functions.begin(), 0u, std::plus<>{},
                           [](unsigned x, Affine f) { return x * f.b; }));
  CHECK(cilk::transform_reduce(in, in, 1u) ==
        std::inner_product(in.begin(), in.end(), in.begin(), 1u));

  const auto is_odd = [](unsigned x) { return x % 2 != 0; };
  CHECK(cilk::count_if(in, is_odd) == std::count_if(in.begin(), in.end(), is_odd));
  CHECK(cilk::count_if(in.begin(), in.end(), is_odd) ==
        std::count_if(in.begin(), in.end(), is_odd));

  std::vector<double> fractions(in.size());
  cilk::transform(in, fractions.begin(), [](unsigned x) { return 1.0 / (x + 1.0); });
  unsigned long hash = bits_of(cilk::reduce(fractions, 0.0));
  hash = mix(hash, bits_of(cilk::transform_reduce(fractions, fractions, 0.0)));
  hash = mix(hash, bits_of(cilk::reduce(fractions, 1.0, [](double x, double y) { return x + y; })));
  cilk::inclusive_scan(fractions, fractions.begin());
  for (double x : fractions) hash = mix(hash, bits_of(x));
  return hash;
}

void searches(const Numbers &in) {
  for (std::size_t at : {std::size_t{0}, in.size() / 3, in.size() / 2, in.size()}) {
    Numbers marked(in.size(), 0);
    for (std::size_t i = at; i < in.size(); i += 3) marked[i] = 1;
    const auto is_marked = [](unsigned x) { return x == 1; };
    CHECK(cilk::find_if(marked.begin(), marked.end(), is_marked) - marked.begin() ==
          static_cast<long>(at));
    CHECK(cilk::find_if(marked, is_marked) ==
          std::find_if(marked.begin(), marked.end(), is_marked));
  }
  if (__cilkrts_get_nworkers() ==
      1) {  // else what is searched beyond the match is a matter of luck
    std::atomic<std::size_t> calls{0};
    const auto is_marked = [&calls](unsigned x) { return ++calls != 0 && x == 1; };
    for (std::size_t at : {0, 1, 100, 3000}) {
      Numbers many(1'000'000, 0);
      many[at] = 1;
      calls = 0;
      CHECK(cilk::find_if(many, is_marked) - many.begin() == static_cast<long>(at));
      CHECK(calls <= 3 * (at + 1));
    }
  }
}

// ---- scans ----

template <class T, class Op>
void scans_of(const std::vector<T> &in, T initial, Op op) {
  std::vector<T> out(in.size()), expected(in.size());
  CHECK(cilk::inclusive_scan(in.begin(), in.end(), out.begin(), op) == out.end());
  std::inclusive_scan(in.begin(), in.end(), expected.begin(), op);
  CHECK(out == expected);
  cilk::inclusive_scan(in, out.begin(), op, initial);
  std::inclusive_scan(in.begin(), in.end(), expected.begin(), op, initial);
  CHECK(out == expected);
  cilk::exclusive_scan(in, out.begin(), initial, op);
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), initial, op);
  CHECK(out == expected);
  out = in;  // in place
  CHECK(cilk::exclusive_scan(out.begin(), out.end(), out.begin(), initial, op) == out.end());
  CHECK(out == expected);
}

void scans(const Numbers &in) {
  scans_of(in, 9u, std::plus<>{});
  std::vector<Affine> functions(in.size());
  cilk::transform(in, functions.begin(), affine_of);
  scans_of(functions, Affine{2, 1}, Compose{7});
  if (in.size() < 2000) {
    std::vector<std::string> texts(in.size());
    cilk::transform(in, texts.begin(),
                    [](unsigned x) { return std::string(1, static_cast<char>('a' + x % 26)); });
    scans_of(texts, std::string("begin:"), std::plus<>{});
  }
}

// ---- order ----

struct Card {
  unsigned key, number;
};
bool is_before(const Card &x, const Card &y) { return x.key < y.key; }

unsigned long orders(const Numbers &in) {
  Numbers sorted = in, expected = in;
  cilk::sort(sorted);
  std::sort(expected.begin(), expected.end());
  CHECK(sorted == expected);
  cilk::sort(sorted.begin(), sorted.end(), std::greater<>{});
  std::reverse(expected.begin(), expected.end());
  CHECK(sorted == expected);
  cilk::stable_sort(sorted.rbegin(), sorted.rend());  // the same again
  CHECK(sorted == expected);

  std::vector<Card> cards;
  for (unsigned x : in) cards.push_back({x % 50, static_cast<unsigned>(cards.size())});
  std::vector<Card> stable = cards;
  cilk::stable_sort(stable, is_before);
  for (std::size_t i = 1; i < stable.size(); ++i)
    CHECK(stable[i - 1].key < stable[i].key ||
          (stable[i - 1].key == stable[i].key && stable[i - 1].number < stable[i].number));
  std::reverse(stable.begin(), stable.end());  // descends, but for equal cards
  cilk::stable_sort(stable, is_before);
  for (std::size_t i = 1; i < stable.size(); ++i)
    CHECK(stable[i - 1].key < stable[i].key ||
          (stable[i - 1].key == stable[i].key && stable[i - 1].number > stable[i].number));
  cilk::sort(cards, is_before);
  unsigned long hash = 0;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    CHECK(cards[i].key == stable[i].key);
    hash = mix(hash, cards[i].number);
  }

  std::vector<std::unique_ptr<std::string>> owners;
  for (unsigned x : in) owners.push_back(std::make_unique<std::string>(std::to_string(x)));
  cilk::sort(owners, [](const auto &x, const auto &y) { return *x < *y; });
  for (std::size_t i = 1; i < owners.size(); ++i) CHECK(*owners[i - 1] <= *owners[i]);
  const auto middle = cilk::partition(owners, [](const auto &x) { return x->back() < '5'; });
  for (auto i = owners.begin(); i != owners.end(); ++i) CHECK(((*i)->back() < '5') == (i < middle));

  Numbers parts = in;
  const auto is_odd = [](unsigned x) { return x % 2 != 0; };
  const auto point = cilk::partition(parts.begin(), parts.end(), is_odd);
  CHECK(std::all_of(parts.begin(), point, is_odd) && std::none_of(point, parts.end(), is_odd));
  for (unsigned x : parts) hash = mix(hash, x);
  std::sort(parts.begin(), parts.end());
  std::sort(sorted.begin(), sorted.end());
  CHECK(parts == sorted);
  return hash;
}

void merges(const Numbers &in) {
  for (std::size_t n : {std::size_t{0}, in.size() / 2, in.size()}) {
    std::vector<Card> first, second, out(in.size()), expected(in.size());
    for (std::size_t i = 0; i < in.size(); ++i)
      (i < n ? first : second).push_back({in[i] % 100, static_cast<unsigned>(i)});
    std::stable_sort(first.begin(), first.end(), is_before);
    std::stable_sort(second.begin(), second.end(), is_before);
    CHECK(cilk::merge(first, second, out.begin(), is_before) == out.end());
    std::merge(first.begin(), first.end(), second.begin(), second.end(), expected.begin(),
               is_before);
    for (std::size_t i = 0; i < out.size(); ++i)
      CHECK(out[i].key == expected[i].key && out[i].number == expected[i].number);
  }
  Numbers first = in, second = in, out(2 * in.size());
  std::sort(first.begin(), first.end());
  cilk::transform(first, second.begin(), [](unsigned x) { return x / 2; });
  cilk::merge(first.begin(), first.end(), second.begin(), second.end(), out.begin());
  CHECK(std::is_sorted(out.begin(), out.end()));
}

// ---- iterators ----

/// Tenths, kept as numbers of another type: the reference is an object.
class Tenths {
 public:
  class Reference {
   public:
    explicit Reference(short *at) : at_(at) {}
    Reference(const Reference &) = default;
    operator double() const { return *at_ / 10.0; }
    const Reference &operator=(double value) const {
      *at_ = static_cast<short>(value * 10 + 0.5);
      return *this;
    }
    const Reference &operator=(const Reference &other) const {
      return *this = static_cast<double>(other);
    }
    Reference &operator=(const Reference &other) {
      *at_ = *other.at_;
      return *this;
    }
    friend void swap(Reference x, Reference y) { std::swap(*x.at_, *y.at_); }

   private:
    short *at_;
  };
  using iterator_category = std::random_access_iterator_tag;
  using value_type = double;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Reference;

  Tenths() = default;
  explicit Tenths(short *at) : at_(at) {}
  Reference operator*() const { return Reference(at_); }
  Reference operator[](std::ptrdiff_t n) const { return Reference(at_ + n); }
  Tenths &operator++() { return *this += 1; }
  Tenths &operator--() { return *this += -1; }
  Tenths operator++(int) { return Tenths(at_++); }
  Tenths operator--(int) { return Tenths(at_--); }
  Tenths &operator+=(std::ptrdiff_t n) {
    at_ += n;
    return *this;
  }
  Tenths &operator-=(std::ptrdiff_t n) { return *this += -n; }
  friend Tenths operator+(Tenths x, std::ptrdiff_t n) { return x += n; }
  friend Tenths operator-(Tenths x, std::ptrdiff_t n) { return x -= n; }
  friend std::ptrdiff_t operator-(Tenths x, Tenths y) { return x.at_ - y.at_; }
  friend bool operator==(Tenths x, Tenths y) { return x.at_ == y.at_; }
  friend bool operator!=(Tenths x, Tenths y) { return x.at_ != y.at_; }
  friend bool operator<(Tenths x, Tenths y) { return x.at_ < y.at_; }

 private:
  short *at_ = nullptr;
};

void proxies() {
  std::vector<short> tenths(5000);
  for (std::size_t i = 0; i < tenths.size(); ++i) tenths[i] = static_cast<short>(i * 7919 % 5000);
  const Tenths first(tenths.data()), last = first + 5000;
  const auto is_below = [](double x) { return x < 100.05; };
  CHECK(cilk::partition(first, last, is_below) - first == 1001);
  CHECK(std::all_of(first, first + 1001, is_below));
  CHECK(std::accumulate(tenths.begin(), tenths.end(), 0) == 12497500);
  cilk::sort(first, last);
  for (std::size_t i = 0; i < tenths.size(); ++i) CHECK(tenths[i] == static_cast<short>(i));
  std::vector<short> merged(10000);
  cilk::merge(first, last, first, last, Tenths(merged.data()));
  CHECK(merged[9999] == 4999 && merged[5001] == 2500);
  cilk::transform(first, last, Tenths(merged.data()), [](double x) { return x + 1; });
  CHECK(merged[4999] == 5009);
  cilk::for_each(first, last, [](Tenths::Reference x) { x = 0; });
  CHECK(cilk::count_if(first, last, [](double x) { return x == 0; }) == 5000);
}

// As std::sort and std::find_if ask for: it converts to bool in conditions.
struct Truth {
  bool value;
  explicit operator bool() const { return value; }
};
void truths() {
  for (std::size_t n : {std::size_t{3}, std::size_t{5000}}) {
    Numbers numbers = random_numbers(static_cast<long>(n), n);
    std::vector<std::pair<unsigned, int>> pairs(n);
    const auto less = [](const auto &x, const auto &y) { return Truth{x < y}; };
    const auto is_odd = [](const auto &x) { return Truth{x % 2 != 0}; };
    const auto middle = cilk::partition(numbers, is_odd);
    CHECK(cilk::count_if(numbers, is_odd) == middle - numbers.begin());
    CHECK(cilk::find_if(numbers, is_odd) == numbers.begin() || middle == numbers.begin());
    cilk::sort(numbers, less);
    CHECK(std::is_sorted(numbers.begin(), numbers.end()));
    cilk::transform(numbers, pairs.rbegin(), [](unsigned x) { return std::pair(x, 1); });
    cilk::stable_sort(pairs, less);
    cilk::merge(pairs, pairs, std::vector<std::pair<unsigned, int>>(2 * n).begin(), less);
    for (std::size_t i = 0; i < n; ++i) CHECK(pairs[i].first == numbers[i]);
  }
}

// Two arrays are two ranges, though they are two pointers of one type.
int product(int x, int y) { return x * y; }
struct Weight {
  int operator()(int x) const { return x; }
  int operator()(int x, int y) const { return x * y; }
};
void arrays() {
  int a[4] = {1, 2, 3, 4}, b[4] = {10, 20, 30, 40}, out[4];
  const int c[5] = {1, 1, 1, 1, 1};
  CHECK(cilk::transform(a, b, out, std::plus<>{}) == out + 4 && out[3] == 44);
  CHECK(cilk::transform(a, a + 4, out, std::negate<>{}) == out + 4 && out[3] == -4);
  CHECK(cilk::transform(a, c, out, product) == out + 4 && out[3] == 4);
  CHECK(cilk::transform_reduce(a, b, 0) == 300);
  CHECK(cilk::transform_reduce(a, b, 0, std::plus<>{}, Weight()) == 300);
  CHECK(cilk::transform_reduce(a, c, 0, std::plus<>{}, Weight()) == 10);
  CHECK(cilk::transform_reduce(a, a + 3, 0, std::plus<>{}, Weight()) == 6);
  CHECK(cilk::inclusive_scan(a, out, product) == out + 4 && out[3] == 24);
  CHECK(cilk::exclusive_scan(a, b, 5, product) == b + 4 && b[3] == 30);
  const char *texts[2] = {"a", "b"}, *firsts[2], *initial = "c";
  cilk::exclusive_scan(texts, firsts, initial, [](const char *x, const char *) { return x; });
  CHECK(firsts[0] == initial && firsts[1] == initial);
}

// begin and end are functions beside the class.
struct Row {
  int numbers[100];
};
int *begin(Row &row) { return row.numbers; }
int *end(Row &row) { return row.numbers + 100; }

#if defined(__cpp_lib_ranges)
// std::iterator_traits does not know the iterators of this range.
void numbered() {
  const auto numbers = std::views::iota(0L, 20000L);
  static_assert(cilk::parallel_range<decltype(numbers)>);
  const auto is_odd = [](long x) { return x % 2 != 0; };
  std::vector<long> out(40000, 1);
  CHECK(cilk::find_if(numbers, [](long x) { return x > 777; }) - numbers.begin() == 778);
  CHECK(cilk::find_if(numbers.begin(), numbers.end(), is_odd) - numbers.begin() == 1);
  CHECK(static_cast<long>(cilk::count_if(numbers, is_odd)) == 10000);
  CHECK(cilk::reduce(numbers) == 199990000 && cilk::reduce(numbers, 0) == 199990000);
  CHECK(cilk::transform_reduce(numbers, 0L, std::plus<>{}, is_odd) == 10000);
  CHECK(cilk::transform_reduce(numbers, out, 0L) == 199990000);
  cilk::for_each(numbers, [&](long x) { out[static_cast<std::size_t>(x)] = 2 * x; });
  CHECK(out[19999] == 39998);
  cilk::transform(numbers, numbers, out.begin(), std::plus<>{});
  CHECK(out[19999] == 39998);
  cilk::exclusive_scan(numbers, out.begin(), 0L);
  CHECK(out[19999] == 199970001);
  cilk::inclusive_scan(numbers, out.begin());
  CHECK(out[19999] == 199990000);
  CHECK(cilk::merge(numbers, numbers, out.begin()) == out.end());
  for (std::size_t i = 0; i < out.size(); ++i) CHECK(out[i] == static_cast<long>(i / 2));
}
#else
void numbered() {}
#endif

void iterators() {
  constexpr int kCount = 5000;
  std::deque<int> deque(kCount);
  std::iota(deque.begin(), deque.end(), 0);
  CHECK(cilk::reduce(deque, 0L) == 12497500);
  cilk::for_each(deque, [](int &x) { x = kCount - x; });
  cilk::sort(deque);
  for (int i = 0; i < kCount; ++i) CHECK(deque[static_cast<std::size_t>(i)] == i + 1);
  CHECK(cilk::transform(deque, deque, deque.begin(), std::plus<>{}) == deque.end());
  cilk::transform(deque.rbegin(), deque.rend(), deque.rbegin(), [](int x) { return x / 2; });
  for (int i = 0; i < kCount; ++i) CHECK(deque[static_cast<std::size_t>(i)] == i + 1);

  std::vector<bool> flags(kCount);
  for (std::size_t i = 0; i < kCount; i += 7) flags[i] = true;
  CHECK(cilk::count_if(flags, [](bool x) { return x; }) == 715);
  CHECK(cilk::find_if(flags.begin() + 1, flags.end(), [](bool x) { return x; }) - flags.begin() ==
        7);
  std::vector<char> copies(kCount);
  cilk::transform(flags, copies.begin(), [](bool x) { return x ? 1 : 0; });
  CHECK(cilk::reduce(copies, 0) == 715);

  int numbers[] = {3, 1, 2};
  cilk::sort(numbers);
  CHECK(numbers[0] == 1 && numbers[2] == 3);
  cilk::for_each(std::vector<int>{1, 2}, [](int x) { CHECK(x > 0); });
  cilk::for_each(flags, [](bool) {});
  Row row;
  cilk::for_each(row, [](int &x) { x = 5; });
  CHECK(cilk::reduce(row, 0) == 500);
}

}  // namespace

int main(int argc, char **argv) {
  grains();
  invokes();
  iterators();
  proxies();
  truths();
  arrays();
  numbered();
  for (long n :
       {0L, 1L, 2L, 3L, 127L, 128L, 129L, 1009L, 1025L, size_argument(argc, argv, 20011)}) {
    const Numbers in = random_numbers(n, static_cast<unsigned long>(n) + 1);
    loops(in);
    const unsigned long bits = reductions(in);
    searches(in);
    scans(in);
    const unsigned long order = orders(in);
    merges(in);
    std::printf("%ld: %lx %lx\n", n, bits, order);
  }
}
