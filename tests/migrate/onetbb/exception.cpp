// An exception thrown in a tbb::parallel_for body (index and range forms), caught by the caller.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

static void check_all(const std::vector<int> &v) {
  tbb::parallel_for(0, int(v.size()), [&](int i) {
    if (v[i] < 0) throw std::runtime_error("negative value at " + std::to_string(i));
  });
}

static long roots(const std::vector<int> &v, std::vector<int> &out) {
  tbb::parallel_for(tbb::blocked_range<int>(0, int(v.size())), [&](const auto &r) {
    for (int i = r.begin(); i != r.end(); ++i) {
      if (v[i] > 10000) throw v[i];
      out[i] = v[i] / 2;
    }
  });
  return std::accumulate(out.begin(), out.end(), 0L);
}

int main() {
  std::vector<int> v(6000, 4), out(6000, 0);
  v[4321] = -1;  // only one iteration throws, so the caught value is known
  try {
    check_all(v);
  } catch (const std::runtime_error &error) {
    std::cout << "caught: " << error.what() << '\n';
  }
  v[4321] = 20000;
  try {
    std::cout << roots(v, out) << '\n';
  } catch (int bad) {
    std::cout << "bad " << bad << '\n';
  }
  v[4321] = 8;
  check_all(v);
  std::cout << "sum " << roots(v, out) << '\n';
}
