// tbb::task_group: run_and_wait, two waits in one function, run after wait on the same group.
#include <tbb/task_group.h>

#include <cstdio>
#include <numeric>
#include <vector>

static long sum_squares(long first, long last) {
  if (last - first <= 100) {
    long sum = 0;
    for (long i = first; i < last; ++i) sum += i * i;
    return sum;
  }
  const long middle = first + (last - first) / 2;
  long left = 0, right = 0;
  tbb::task_group group;
  group.run([&] { left = sum_squares(first, middle); });
  group.run_and_wait([&] { right = sum_squares(middle, last); });
  return left + right;
}

static long two_phases(int n) {
  std::vector<long> a(n), b(n);
  tbb::task_group group;
  group.run([&] { std::iota(a.begin(), a.end(), 1L); });
  std::iota(b.begin(), b.end(), 10L);
  group.wait();

  long dot = 0, difference = 0;
  group.run([&] { dot = std::inner_product(a.begin(), a.end(), b.begin(), 0L); });
  group.run([&] {
    for (int i = 0; i < n; ++i) difference += b[i] - a[i];
  });
  group.wait();
  return dot - difference;
}

int main() {
  std::printf("sum_squares %ld\n", sum_squares(0, 10000));
  std::printf("two_phases  %ld %ld\n", two_phases(10), two_phases(2000));
  return 0;
}
