// Ranges that are empty since their begin is not before their end: by one and by two dimensions, in
// a reduction, in a template, and with ends of other types than the loop's.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <cstdio>
#include <functional>
#include <vector>

static void smooth(const std::vector<int> &in, std::vector<int> &out) {
  const int n = static_cast<int>(in.size());
  tbb::parallel_for(tbb::blocked_range<int>(1, n - 1), [&](const tbb::blocked_range<int> &r) {
    for (int i = r.begin(); i != r.end(); ++i) out[i] = in[i - 1] + in[i] + in[i + 1];
  });
}

static long inner_sum(const std::vector<int> &v) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::vector<int>::const_iterator>(v.begin() + (v.size() > 1),
                                                           v.begin() + 1),
      0L,
      [](const auto &r, long sum) {
        for (auto i = r.begin(); r.end() != i; ++i) sum += *i;
        return sum;
      },
      std::plus<long>());
}

static void border(std::vector<int> &v, int rows, int columns) {
  tbb::parallel_for(tbb::blocked_range2d<int>(1, rows - 1, 1, columns - 1),
                    [&](const tbb::blocked_range2d<int> &r) {
                      for (int i = r.rows().begin(); i != r.rows().end(); ++i)
                        for (int k = r.cols().begin(); k != r.cols().end(); ++k)
                          v[i * columns + k] = 0;
                    });
}

// The range's type decides, and not that of its ends.
static int count(const std::vector<int> &v) {
  std::vector<int> seen(v.size() + 2);
  tbb::parallel_for(tbb::blocked_range<int>(-1, v.size() + 1), [&](const auto &r) {
    for (int i = r.begin(); i != r.end(); ++i) seen[i + 1] = 1;
  });
  tbb::parallel_for(tbb::blocked_range<int>(0, v.size() - 1), [&](const auto &r) {
    for (auto i = r.begin(), e = r.end(); i != e; ++i) seen[i + 1] += i - 1 < 0 ? 10 : 1;
  });
  int sum = 0;
  for (int one : seen) sum += one;
  return sum;
}

template <class T>
static void number(std::vector<T> &v, T n) {
  tbb::parallel_for(tbb::blocked_range<T>(1, n), [&](const tbb::blocked_range<T> &r) {
    for (auto i = r.begin(); i != r.end(); ++i) v[i] = i;
  });
}

int main() {
  for (int n : {5, 2, 1, 0}) {
    std::vector<int> in(n, 3), out(n), all(12, 1);
    smooth(in, out);
    border(all, 4, n < 3 ? n : 3);
    for (int x : out) std::printf("%d ", x);
    for (int x : all) std::printf("%d ", x);
    std::vector<long> wide(5);
    number(out, n);
    number(wide, static_cast<long>(n));
    for (int x : out) std::printf("%d ", x);
    for (long x : wide) std::printf("%ld ", x);
    std::printf("%ld %d\n", n > 0 ? inner_sum(in) : 0, count(in));
  }
}
