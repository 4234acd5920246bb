// Exceptions in the algorithms of <cilk/algorithm.h>: one leaves after all strands have ended, and
// it is the serially first one; temporaries are destroyed; sorts lose no element to a merge; what
// find_if meets after the match does not count.

#include <cilk/algorithm.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "../programs/support/check.h"

namespace {

constexpr int kCount = 20000;

std::atomic<int> alive{0}, running{0};

/// A number on the heap, so that a sanitizer notices one that is lost.
class Counted {
 public:
  explicit Counted(int value = 0) : value_(new int(value)) { ++alive; }
  Counted(const Counted &other) : value_(new int(*other)) { ++alive; }
  Counted(Counted &&other) noexcept : value_(std::exchange(other.value_, nullptr)) { ++alive; }
  Counted &operator=(Counted other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Counted() {
    delete value_;
    --alive;
  }
  int operator*() const { return *value_; }

 private:
  int *value_;
};

/// A number that is none to the headers.
struct Sum {
  double value = 0;
  explicit Sum(double v) : value(v) {}
  friend Sum operator+(const Sum &x, const Sum &y) { return Sum(x.value + y.value); }
  friend bool operator<(const Sum &x, const Sum &y) { return x.value < y.value; }
};

/// Notices a strand that still runs when the exception has left.
struct Running {
  Running() { ++running; }
  ~Running() { --running; }
};

template <class Call>
int thrown_by(Call call) {
  int thrown = -1;
  try {
    call();
  } catch (int value) {
    CHECK_EQ(running, 0);
    thrown = value;
  }
  CHECK_EQ(running, 0);
  return thrown;
}

std::vector<int> upwards() {
  std::vector<int> numbers(kCount);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// Throws each thousandth number but 0.
int checked(int value) {
  const Running here;
  if (value % 1000 == 0 && value != 0) throw value;
  return value;
}

void loops() {
  const std::vector<int> in = upwards();
  std::vector<int> out(in.size());
  std::printf("for_each %d\n", thrown_by([&] { cilk::for_each(in, checked); }));
  std::printf("transform %d\n", thrown_by([&] { cilk::transform(in, out.begin(), checked); }));
  std::printf("invoke %d\n",
              thrown_by([] { cilk::invoke([] {}, [] { linger(), throw 1; }, [] { throw 2; }); }));
}

void reductions() {
  const std::vector<int> in = upwards();
  std::printf("count_if %d\n", thrown_by([&] { cilk::count_if(in, checked); }));
  const std::vector<Counted> counted(in.begin(), in.end());
  const int before = alive;
  const auto add = [](const Counted &x, const Counted &y) {
    checked(*y);
    return Counted(*x + *y < 1000 ? *x + *y : 1);
  };
  std::printf("reduce %d\n", thrown_by([&] { cilk::reduce(counted, Counted(1), add); }));
  CHECK_EQ(alive, before);
  std::vector<Counted> out(counted);
  const auto scan = [&](bool exclusive) {
    if (exclusive)
      cilk::exclusive_scan(counted, out.begin(), Counted(1), add);
    else
      cilk::inclusive_scan(counted, out.begin(), add);
  };
  for (bool exclusive : {false, true})
    std::printf("scan %d\n", thrown_by([&] { scan(exclusive); }));
  CHECK_EQ(alive, before + kCount);
}

/// Sums of ones that refuse a number below zero, and sums above a limit. What is serially first is
/// met in a second pass if its strand does not know the carry, after what others threw.
template <class T, bool kExclusive>
void scan_throws(std::size_t negative, double limit) {
  std::vector<T> numbers(kCount, T(1));
  numbers[negative] = T(-1);
  const auto add = [limit](const T &x, const T &y) {
    const Running here;
    if (y < T(0)) throw 1;
    if (T(limit) < x + y) throw 2;
    return x + y;
  };
  std::vector<T> out(numbers);
  std::printf("sums %d\n", thrown_by([&] {
                if (kExclusive)
                  cilk::exclusive_scan(out, out.begin(), T(0), add);
                else
                  cilk::inclusive_scan(out, out.begin(), add);
              }));
}
void scans() {
  for (const std::size_t negative : {5, 100, 157, 158, 5000, 19900}) {
    for (const double limit : {4990, 5010, 20001}) {
      scan_throws<double, false>(negative, limit);
      scan_throws<double, true>(negative, limit);
      scan_throws<long, false>(negative, limit);
      scan_throws<Sum, true>(negative, limit);
      scan_throws<Sum, false>(negative, limit);
    }
  }
}

void find() {
  const std::vector<int> in = upwards();
  for (int at : {999, 1000, 1001}) {
    const auto match = [at](int x) { return checked(x) >= at; };
    const int thrown = thrown_by([&] { CHECK_EQ(*cilk::find_if(in, match), at); });
    CHECK_EQ(thrown, at < 1000 ? -1 : 1000);
  }
}

template <class Sort>
void sort_throws(const char *name, Sort sort) {
  std::vector<Counted> numbers;
  unsigned long seed = 1;
  for (int i = 0; i < kCount; ++i)
    numbers.emplace_back(static_cast<int>(next_random(&seed) % kCount));
  const std::vector<Counted> before = numbers;
  const int objects = alive;
  // Leaves have fewer than 8192 elements, and sort both halves of a few numbers only: so merges
  // compare numbers that no leaf does.
  for (int limit : {1, 100000}) {
    std::atomic<int> calls{0};
    numbers = before;
    const int thrown = thrown_by([&] {
      sort(numbers, [&](const Counted &x, const Counted &y) {
        const Running here;
        if (++calls >= limit) throw 1;
        return *x < *y;
      });
    });
    CHECK_EQ(thrown, 1);
    CHECK_EQ(alive, objects);
  }
  // Comparisons of the last merge throw, and of no other: the halves are below and above.
  constexpr int kHalf = kCount / 2;
  for (int i = 0; i < kCount; ++i)
    numbers[static_cast<std::size_t>(i)] = Counted(i < kHalf ? kHalf - i : kHalf - i - 1);
  const int thrown = thrown_by([&] {
    sort(numbers, [](const Counted &x, const Counted &y) {
      if ((*x > 0) != (*y > 0)) throw 2;
      return *x < *y;
    });
  });
  std::printf("%s %d\n", name, thrown);
  std::vector<int> values;
  for (const Counted &x : numbers) values.push_back(*x);
  std::sort(values.begin(), values.end());
  for (int i = 0; i < kCount; ++i)
    CHECK_EQ(values[static_cast<std::size_t>(i)], i < kHalf ? i - kHalf : i - kHalf + 1);
}

void partition() {
  std::vector<int> numbers = upwards();
  std::printf("partition %d\n", thrown_by([&] { cilk::partition(numbers, checked); }));
  std::sort(numbers.begin(), numbers.end());
  CHECK(numbers == upwards());
}

void merge() {
  const std::vector<int> in = upwards();
  std::vector<int> out(2 * in.size());
  const int thrown = thrown_by([&] {
    cilk::merge(in, in, out.begin(), [](int x, int y) { return checked(x) < checked(y); });
  });
  CHECK(thrown > 0 && thrown % 1000 == 0);
}

}  // namespace

int main() {
  loops();
  reductions();
  scans();
  find();
  sort_throws("sort", [](auto &numbers, auto compare) { cilk::sort(numbers, compare); });
  sort_throws("stable_sort",
              [](auto &numbers, auto compare) { cilk::stable_sort(numbers, compare); });
  partition();
  merge();
  CHECK_EQ(alive, 0);
}
