// Lambdas outside of functions: at namespace scope, and in a class.
#include <cstdio>
#include <vector>

static const auto total = [](int n) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += i;
  return sum;
};

namespace parts {
struct Row {
  std::vector<int> v = [] {
    std::vector<int> made(50);
#pragma omp parallel for
    for (int i = 0; i < 50; ++i) made[i] = i * i;
    return made;
  }();
};
}  // namespace parts

int main() { std::printf("%ld %d\n", total(100), parts::Row().v[49]); }
