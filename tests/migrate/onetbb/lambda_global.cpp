// Lambdas outside of functions, a generic one among them.
#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstdio>
#include <vector>

static const auto fill = [](auto &v) {
  tbb::parallel_for(std::size_t(0), v.size(), [&](std::size_t i) { v[i] = static_cast<int>(i); });
};
static const auto raise = [](std::vector<int> &v) {
  tbb::parallel_for(0, 20, [&](int i) { v[i] += 3; });
};

int main() {
  std::vector<int> v(20);
  fill(v);
  raise(v);
  std::printf("%d %d\n", v[0], v[19]);
}
