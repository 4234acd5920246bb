// The algorithms of <cilk/algorithm.h> and what they are compared with, one source: -DWAY=...
//
//   1  cilk          3  std:: with std::execution::par
//   2  std::         4  oneTBB: its own algorithms, where it has one
//
// Prints a row for each algorithm: its name and the median nanoseconds an element of argv[2] calls
// on argv[1] elements, of those that argv[3] and so on name, else of all. A call works on fresh
// data, which is made outside of the measured time.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#if WAY == 1
#include <cilk/algorithm.h>
#define ALGORITHM(name, ...) cilk::name(__VA_ARGS__)
#elif WAY == 2
#define ALGORITHM(name, ...) std::name(__VA_ARGS__)
#elif WAY == 3
#include <execution>
#define ALGORITHM(name, ...) std::name(std::execution::par, __VA_ARGS__)
#endif
#if WAY == 4
#include <tbb/tbb.h>
#endif
#if WAY == 3 || WAY == 4
#include <tbb/global_control.h>
#endif

namespace {

using Clock = std::chrono::steady_clock;
using Numbers = std::vector<int>;
using Fractions = std::vector<double>;
using Texts = std::vector<std::string>;

long n = 1'000'000;
int times = 15;
std::vector<std::string> wanted;
double kept = 0;  // so that no result is unused

/// Runs `call` on a copy of `data` each time.
template <class Data, class Call>
void row(const char *name, const Data &data, Call call) {
  if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) return;
  std::vector<double> took;
  for (int time = 0; time < times; ++time) {
    Data copy(data);
    const auto begun = Clock::now();
    kept += static_cast<double>(call(copy));
    took.push_back(std::chrono::duration<double, std::nano>(Clock::now() - begun).count());
  }
  std::nth_element(took.begin(), took.begin() + times / 2, took.end());
  std::printf("%s %.4f\n", name,
              took[static_cast<std::size_t>(times / 2)] / static_cast<double>(data.size()));
}

// Objects, not functions: a pointer to a function is called where an object is inlined.
constexpr auto is_odd = [](int x) { return x % 2 != 0; };
constexpr auto half_of = [](double x) { return x * 0.5 + 1.0; };
constexpr auto costly = [](double x) { return std::sqrt(std::sin(x) + 1.5); };

#if WAY == 4
using Range = tbb::blocked_range<std::size_t>;

template <class T, class Out>
struct Sum {  // for tbb::parallel_scan
  const T *in;
  Out *out;
  bool exclusive;
  T sum{};
  Sum(const T *i, Out *o, bool e) : in(i), out(o), exclusive(e) {}
  Sum(Sum &other, tbb::split) : in(other.in), out(other.out), exclusive(other.exclusive) {}
  template <class Tag>
  void operator()(const Range &range, Tag) {
    T local = sum;
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const T before = local;
      local = local + in[i];
      if (Tag::is_final_scan()) out[i] = exclusive ? before : local;
    }
    sum = local;
  }
  void reverse_join(Sum &left) { sum = left.sum + sum; }
  void assign(Sum &other) { sum = other.sum; }
};
#endif

}  // namespace

int main(int argc, char **argv) {
  if (argc > 1) n = std::atol(argv[1]);
  if (argc > 2) times = std::atoi(argv[2]);
  for (int i = 3; i < argc; ++i) wanted.push_back(argv[i]);
#if WAY == 3 || WAY == 4
  const char *workers = std::getenv("WORKERS");
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                    workers != nullptr ? std::strtoul(workers, nullptr, 10) : 2);
#endif
  std::mt19937 random(1);
  const auto size = static_cast<std::size_t>(n);
  Numbers numbers(size);
  for (int &x : numbers) x = static_cast<int>(random());
  Fractions fractions(size);
  for (double &x : fractions) x = random() * 1e-3;
  Texts texts(size / 10);
  for (std::string &x : texts) x = std::to_string(random());
  Numbers sorted(numbers);
  std::sort(sorted.begin(), sorted.end());
  Numbers zeros(size);
  zeros[size * 7 / 8] = 1;
  Numbers numbers_out(size);
  Fractions fractions_out(size);
  Numbers merged(2 * size);
  const auto is_one = [](int x) { return x == 1; };
  const auto is_small = [](int x) { return x < 0; };

#if WAY != 4
  row("for_each", fractions, [](Fractions &d) {
    ALGORITHM(for_each, d.begin(), d.end(), [](double &x) { x = half_of(x); });
    return d[0];
  });
  row("for_each_costly", fractions, [](Fractions &d) {
    ALGORITHM(for_each, d.begin(), d.end(), [](double &x) { x = costly(x); });
    return d[0];
  });
  row("transform", fractions, [&](Fractions &d) {
    ALGORITHM(transform, d.begin(), d.end(), fractions_out.begin(), half_of);
    return fractions_out[0];
  });
  row("transform_2", fractions, [&](Fractions &d) {
    ALGORITHM(transform, d.begin(), d.end(), fractions.begin(), fractions_out.begin(),
              std::multiplies<>{});
    return fractions_out[0];
  });
  row("reduce_int", numbers,
      [](Numbers &d) { return ALGORITHM(reduce, d.begin(), d.end(), 0u, std::plus<>{}); });
  row("reduce_double", fractions,
      [](Fractions &d) { return ALGORITHM(reduce, d.begin(), d.end(), 0.0); });
  row("transform_reduce", fractions, [&](Fractions &d) {
    return ALGORITHM(transform_reduce, d.begin(), d.end(), 0.0, std::plus<>{}, half_of);
  });
  row("inner_product", fractions, [&](Fractions &d) {
    return ALGORITHM(transform_reduce, d.begin(), d.end(), fractions.begin(), 0.0);
  });
  row("count_if", numbers,
      [](Numbers &d) { return ALGORITHM(count_if, d.begin(), d.end(), is_odd); });
  row("find_if", zeros,
      [&](Numbers &d) { return ALGORITHM(find_if, d.begin(), d.end(), is_one) - d.begin(); });
  row("inclusive_scan_int", numbers, [&](Numbers &d) {
    ALGORITHM(inclusive_scan, d.begin(), d.end(), numbers_out.begin());
    return numbers_out[size - 1];
  });
  row("inclusive_scan_double", fractions, [&](Fractions &d) {
    ALGORITHM(inclusive_scan, d.begin(), d.end(), fractions_out.begin());
    return fractions_out[size - 1];
  });
  row("exclusive_scan_int", numbers, [&](Numbers &d) {
    ALGORITHM(exclusive_scan, d.begin(), d.end(), numbers_out.begin(), 0);
    return numbers_out[size - 1];
  });
  row("sort_int", numbers, [](Numbers &d) {
    ALGORITHM(sort, d.begin(), d.end());
    return d[0];
  });
  row("sort_sorted", sorted, [](Numbers &d) {
    ALGORITHM(sort, d.begin(), d.end());
    return d[0];
  });
  row("sort_double", fractions, [](Fractions &d) {
    ALGORITHM(sort, d.begin(), d.end());
    return d[0];
  });
  row("sort_text", texts, [](Texts &d) {
    ALGORITHM(sort, d.begin(), d.end());
    return d[0].size();
  });
  row("stable_sort_int", numbers, [](Numbers &d) {
    ALGORITHM(stable_sort, d.begin(), d.end());
    return d[0];
  });
  row("stable_sort_text", texts, [](Texts &d) {
    ALGORITHM(stable_sort, d.begin(), d.end());
    return d[0].size();
  });
  row("merge", sorted, [&](Numbers &d) {
    ALGORITHM(merge, d.begin(), d.end(), sorted.begin(), sorted.end(), merged.begin());
    return merged[0];
  });
  row("partition", numbers,
      [&](Numbers &d) { return ALGORITHM(partition, d.begin(), d.end(), is_small) - d.begin(); });
#else
  row("for_each", fractions, [](Fractions &d) {
    tbb::parallel_for_each(d.begin(), d.end(), [](double &x) { x = half_of(x); });
    return d[0];
  });
  row("for_each_costly", fractions, [](Fractions &d) {
    tbb::parallel_for(Range(0, d.size()), [&](const Range &r) {
      for (std::size_t i = r.begin(); i < r.end(); ++i) d[i] = costly(d[i]);
    });
    return d[0];
  });
  row("transform", fractions, [&](Fractions &d) {
    tbb::parallel_for(Range(0, d.size()), [&](const Range &r) {
      for (std::size_t i = r.begin(); i < r.end(); ++i) fractions_out[i] = half_of(d[i]);
    });
    return fractions_out[0];
  });
  row("transform_2", fractions, [&](Fractions &d) {
    tbb::parallel_for(Range(0, d.size()), [&](const Range &r) {
      for (std::size_t i = r.begin(); i < r.end(); ++i) fractions_out[i] = d[i] * fractions[i];
    });
    return fractions_out[0];
  });
  const auto reduce = [](const auto &data, auto initial, auto term, auto op) {
    return tbb::parallel_reduce(
        Range(0, data.size()), initial,
        [&](const Range &r, auto sum) {
          for (std::size_t i = r.begin(); i < r.end(); ++i) sum = op(sum, term(i));
          return sum;
        },
        op);
  };
  row("reduce_int", numbers, [&](Numbers &d) {
    return reduce(d, 0u, [&](std::size_t i) { return d[i]; }, std::plus<>{});
  });
  row("reduce_double", fractions, [&](Fractions &d) {
    return reduce(d, 0.0, [&](std::size_t i) { return d[i]; }, std::plus<>{});
  });
  row("transform_reduce", fractions, [&](Fractions &d) {
    return reduce(d, 0.0, [&](std::size_t i) { return half_of(d[i]); }, std::plus<>{});
  });
  row("inner_product", fractions, [&](Fractions &d) {
    return reduce(d, 0.0, [&](std::size_t i) { return d[i] * fractions[i]; }, std::plus<>{});
  });
  row("count_if", numbers, [&](Numbers &d) {
    return reduce(d, 0L, [&](std::size_t i) { return is_odd(d[i]); }, std::plus<>{});
  });
  row("inclusive_scan_int", numbers, [&](Numbers &d) {
    Sum<int, int> body(d.data(), numbers_out.data(), false);
    tbb::parallel_scan(Range(0, d.size()), body);
    return numbers_out[size - 1];
  });
  row("inclusive_scan_double", fractions, [&](Fractions &d) {
    Sum<double, double> body(d.data(), fractions_out.data(), false);
    tbb::parallel_scan(Range(0, d.size()), body);
    return fractions_out[size - 1];
  });
  row("exclusive_scan_int", numbers, [&](Numbers &d) {
    Sum<int, int> body(d.data(), numbers_out.data(), true);
    tbb::parallel_scan(Range(0, d.size()), body);
    return numbers_out[size - 1];
  });
  row("sort_int", numbers, [](Numbers &d) {
    tbb::parallel_sort(d.begin(), d.end());
    return d[0];
  });
  row("sort_sorted", sorted, [](Numbers &d) {
    tbb::parallel_sort(d.begin(), d.end());
    return d[0];
  });
  row("sort_double", fractions, [](Fractions &d) {
    tbb::parallel_sort(d.begin(), d.end());
    return d[0];
  });
  row("sort_text", texts, [](Texts &d) {
    tbb::parallel_sort(d.begin(), d.end());
    return d[0].size();
  });
  (void)is_one;
  (void)is_small;
#endif
  if (kept == 0.123) std::puts("never");
}
