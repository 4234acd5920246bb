// The algorithms of <cilk/algorithm.h>, std::, std::execution::par and oneTBB (where it has one of
// its own), in one program, so that serial ways can have the same memory and the same moment. Ways
// with several workers need a run each: one's idle threads would hold the other's processors.
//
//     algorithms ELEMENTS CALLS WORKERS WAY,... [ROW...]
//
// Calls the ways of each row in turn. Prints for each row its name, and for each way its name, the
// median and the least of the nanoseconds an element, and the median of the quotients of the first
// way and this one, call by call. A call works on fresh data, which is made outside of the measured
// time.
#include <cilk/algorithm.h>

#include <tbb/global_control.h>
#include <tbb/tbb.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <functional>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Numbers = std::vector<int>;
using Fractions = std::vector<double>;
using Texts = std::vector<std::string>;
using Pairs = std::vector<std::pair<int, int>>;

long n = 1'000'000;
int times = 15;
int workers = 1;
std::vector<std::string> wanted, wanted_ways;
double kept = 0;  // so that no result is unused

// ---- Ways ----

#define ALGORITHMS(EACH) \
  EACH(for_each)         \
  EACH(transform)        \
  EACH(reduce)           \
  EACH(transform_reduce) \
  EACH(count_if)         \
  EACH(find_if)          \
  EACH(inclusive_scan)   \
  EACH(exclusive_scan)   \
  EACH(sort)             \
  EACH(stable_sort)      \
  EACH(merge)            \
  EACH(partition)

struct Cilk {
#define CILK(name)                            \
  template <class... Arguments>               \
  auto name(Arguments &&...arguments) const { \
    return cilk::name(arguments...);          \
  }
  ALGORITHMS(CILK)
};
struct Std {
#define STD(name)                             \
  template <class... Arguments>               \
  auto name(Arguments &&...arguments) const { \
    return std::name(arguments...);           \
  }
  ALGORITHMS(STD)
};
struct Par {
#define PAR(name)                                        \
  template <class... Arguments>                          \
  auto name(Arguments &&...arguments) const {            \
    return std::name(std::execution::par, arguments...); \
  }
  ALGORITHMS(PAR)
};
struct None {};

// ---- Measuring ----

struct Way {
  std::string name;
  std::vector<double> ns;
};

template <class Data, class Call>
void measure(Way &way, const Data &data, const Call &call) {
  Data copy(data);
  const auto begun = Clock::now();
  kept += static_cast<double>(call(copy));
  const std::chrono::duration<double, std::nano> took = Clock::now() - begun;
  way.ns.push_back(took.count() / static_cast<double>(data.size()));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A call of 0.1 ms takes twice as long whenever something disturbs it, and the first calls of a
// process do: there are as many calls of a way as take this long together, and at least `times`.
constexpr double least_ns = 30e6;

/// `call(way, data)` is for all ways but oneTBB's, which is `tbb(data)`.
template <class Data, class Call, class Tbb = None>
void row(const char *name, const Data &data, const Call &call, const Tbb &tbb = {}) {
  if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) return;
  std::vector<Way> ways;
  for (const std::string &way : wanted_ways)
    if (way != "oneTBB" || !std::is_same_v<Tbb, None>) ways.push_back({way, {}});
  if (ways.empty()) return;
  double took = 0;
  const double wanted_ns = least_ns * static_cast<double>(ways.size());
  for (int time = 0; time < times || took < wanted_ns; ++time)
    for (std::size_t i = 0; i < ways.size(); ++i) {
      Way &way = ways[(i + static_cast<std::size_t>(time)) % ways.size()];
      if (way.name == "cilk") measure(way, data, [&](Data &d) { return call(Cilk(), d); });
      if (way.name == "std") measure(way, data, [&](Data &d) { return call(Std(), d); });
      if (way.name == "par") measure(way, data, [&](Data &d) { return call(Par(), d); });
      if constexpr (!std::is_same_v<Tbb, None>)
        if (way.name == "oneTBB") measure(way, data, tbb);
      took += way.ns.back() * static_cast<double>(data.size());
    }
  std::printf("%s", name);
  for (const Way &way : ways) {
    std::vector<double> quotients;
    for (std::size_t i = 0; i < way.ns.size(); ++i) quotients.push_back(ways[0].ns[i] / way.ns[i]);
    std::printf(" %s %.4f %.4f %.4f", way.name.c_str(), median(way.ns),
                *std::min_element(way.ns.begin(), way.ns.end()), median(quotients));
  }
  std::puts("");
}

// ---- Functions ----

// Objects, not functions: a pointer to a function is called where an object is inlined.
constexpr auto is_odd = [](int x) { return x % 2 != 0; };
constexpr auto half_of = [](double x) { return x * 0.5 + 1.0; };
constexpr auto costly = [](double x) { return std::sqrt(std::sin(x) + 1.5); };

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

}  // namespace

int main(int argc, char **argv) {
  if (argc > 1) n = std::atol(argv[1]);
  if (argc > 2) times = std::atoi(argv[2]);
  if (argc > 3) workers = std::atoi(argv[3]);
  std::istringstream names(argc > 4 ? argv[4] : "cilk,std");
  for (std::string way; std::getline(names, way, ',');) wanted_ways.push_back(way);
  for (int i = 5; i < argc; ++i) wanted.push_back(argv[i]);
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(workers));
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
  Pairs pairs(size);
  pairs[size * 7 / 8].second = 1;
  Numbers numbers_out(size);
  Fractions fractions_out(size);
  Numbers merged(2 * size);
  const auto is_one = [](int x) { return x == 1; };
  const auto is_small = [](int x) { return x < 0; };

  const auto reduce = [](const auto &data, auto initial, auto term, auto op) {
    return tbb::parallel_reduce(
        Range(0, data.size()), initial,
        [&](const Range &r, auto sum) {
          for (std::size_t i = r.begin(); i < r.end(); ++i) sum = op(sum, term(i));
          return sum;
        },
        op);
  };
  row(
      "for_each", fractions,
      [](const auto &way, Fractions &d) {
        way.for_each(d.begin(), d.end(), [](double &x) { x = half_of(x); });
        return d[0];
      },
      [](Fractions &d) {
        tbb::parallel_for_each(d.begin(), d.end(), [](double &x) { x = half_of(x); });
        return d[0];
      });
  row(
      "for_each_costly", fractions,
      [](const auto &way, Fractions &d) {
        way.for_each(d.begin(), d.end(), [](double &x) { x = costly(x); });
        return d[0];
      },
      [](Fractions &d) {
        tbb::parallel_for(Range(0, d.size()), [&](const Range &r) {
          for (std::size_t i = r.begin(); i < r.end(); ++i) d[i] = costly(d[i]);
        });
        return d[0];
      });
  row(
      "transform", fractions,
      [&](const auto &way, Fractions &d) {
        way.transform(d.begin(), d.end(), fractions_out.begin(), half_of);
        return fractions_out[0];
      },
      [&](Fractions &d) {
        tbb::parallel_for(Range(0, d.size()), [&](const Range &r) {
          for (std::size_t i = r.begin(); i < r.end(); ++i) fractions_out[i] = half_of(d[i]);
        });
        return fractions_out[0];
      });
  row(
      "transform_2", fractions,
      [&](const auto &way, Fractions &d) {
        way.transform(d.begin(), d.end(), fractions.begin(), fractions_out.begin(),
                      std::multiplies<>{});
        return fractions_out[0];
      },
      [&](Fractions &d) {
        tbb::parallel_for(Range(0, d.size()), [&](const Range &r) {
          for (std::size_t i = r.begin(); i < r.end(); ++i) fractions_out[i] = d[i] * fractions[i];
        });
        return fractions_out[0];
      });
  row(
      "reduce_int", numbers,
      [](const auto &way, Numbers &d) { return way.reduce(d.begin(), d.end(), 0u, std::plus<>{}); },
      [&](Numbers &d) {
        return reduce(d, 0u, [&](std::size_t i) { return d[i]; }, std::plus<>{});
      });
  row(
      "reduce_double", fractions,
      [](const auto &way, Fractions &d) { return way.reduce(d.begin(), d.end(), 0.0); },
      [&](Fractions &d) {
        return reduce(d, 0.0, [&](std::size_t i) { return d[i]; }, std::plus<>{});
      });
  row(
      "transform_reduce", fractions,
      [&](const auto &way, Fractions &d) {
        return way.transform_reduce(d.begin(), d.end(), 0.0, std::plus<>{}, half_of);
      },
      [&](Fractions &d) {
        return reduce(d, 0.0, [&](std::size_t i) { return half_of(d[i]); }, std::plus<>{});
      });
  row(
      "inner_product", fractions,
      [&](const auto &way, Fractions &d) {
        return way.transform_reduce(d.begin(), d.end(), fractions.begin(), 0.0);
      },
      [&](Fractions &d) {
        return reduce(d, 0.0, [&](std::size_t i) { return d[i] * fractions[i]; }, std::plus<>{});
      });
  row(
      "count_if", numbers,
      [](const auto &way, Numbers &d) { return way.count_if(d.begin(), d.end(), is_odd); },
      [&](Numbers &d) {
        return reduce(d, 0L, [&](std::size_t i) { return is_odd(d[i]); }, std::plus<>{});
      });
  row("find_if", zeros, [&](const auto &way, Numbers &d) {
    return way.find_if(d.begin(), d.end(), is_one) - d.begin();
  });
  row("find_if_pair", pairs, [&](const auto &way, Pairs &d) {
    return way.find_if(d.begin(), d.end(), [](const auto &x) { return x.second == 1; }) - d.begin();
  });
  row(
      "inclusive_scan_int", numbers,
      [&](const auto &way, Numbers &d) {
        way.inclusive_scan(d.begin(), d.end(), numbers_out.begin());
        return numbers_out[size - 1];
      },
      [&](Numbers &d) {
        Sum<int, int> body(d.data(), numbers_out.data(), false);
        tbb::parallel_scan(Range(0, d.size()), body);
        return numbers_out[size - 1];
      });
  row(
      "inclusive_scan_double", fractions,
      [&](const auto &way, Fractions &d) {
        way.inclusive_scan(d.begin(), d.end(), fractions_out.begin());
        return fractions_out[size - 1];
      },
      [&](Fractions &d) {
        Sum<double, double> body(d.data(), fractions_out.data(), false);
        tbb::parallel_scan(Range(0, d.size()), body);
        return fractions_out[size - 1];
      });
  row(
      "exclusive_scan_int", numbers,
      [&](const auto &way, Numbers &d) {
        way.exclusive_scan(d.begin(), d.end(), numbers_out.begin(), 0);
        return numbers_out[size - 1];
      },
      [&](Numbers &d) {
        Sum<int, int> body(d.data(), numbers_out.data(), true);
        tbb::parallel_scan(Range(0, d.size()), body);
        return numbers_out[size - 1];
      });
  row(
      "sort_int", numbers,
      [](const auto &way, Numbers &d) {
        way.sort(d.begin(), d.end());
        return d[0];
      },
      [](Numbers &d) {
        tbb::parallel_sort(d.begin(), d.end());
        return d[0];
      });
  row(
      "sort_sorted", sorted,
      [](const auto &way, Numbers &d) {
        way.sort(d.begin(), d.end());
        return d[0];
      },
      [](Numbers &d) {
        tbb::parallel_sort(d.begin(), d.end());
        return d[0];
      });
  row(
      "sort_double", fractions,
      [](const auto &way, Fractions &d) {
        way.sort(d.begin(), d.end());
        return d[0];
      },
      [](Fractions &d) {
        tbb::parallel_sort(d.begin(), d.end());
        return d[0];
      });
  row(
      "sort_text", texts,
      [](const auto &way, Texts &d) {
        way.sort(d.begin(), d.end());
        return d[0].size();
      },
      [](Texts &d) {
        tbb::parallel_sort(d.begin(), d.end());
        return d[0].size();
      });
  row("stable_sort_int", numbers, [](const auto &way, Numbers &d) {
    way.stable_sort(d.begin(), d.end());
    return d[0];
  });
  row("stable_sort_text", texts, [](const auto &way, Texts &d) {
    way.stable_sort(d.begin(), d.end());
    return d[0].size();
  });
  row("merge", sorted, [&](const auto &way, Numbers &d) {
    way.merge(d.begin(), d.end(), sorted.begin(), sorted.end(), merged.begin());
    return merged[0];
  });
  row("partition", numbers, [&](const auto &way, Numbers &d) {
    return way.partition(d.begin(), d.end(), is_small) - d.begin();
  });
  if (kept == 0.123) std::puts("never");
}
