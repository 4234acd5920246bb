// Exercises: taskloop with grainsize, taskloop over a size_t range, nested in parallel single.
#include <cstddef>
#include <cstdio>
#include <vector>

static void smooth(const std::vector<int> &in, std::vector<int> &out) {
  const std::size_t n = in.size();
#pragma omp taskloop grainsize(32) shared(in, out)
  for (std::size_t i = 0; i < n; ++i) {
    const int prev = in[i == 0 ? n - 1 : i - 1];
    const int next = in[i + 1 == n ? 0 : i + 1];
    out[i] = (prev + 2 * in[i] + next) / 4;
  }
}

int main() {
  std::vector<int> a(800), b(800);
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp taskloop grainsize(50)
      for (int i = 0; i < 800; ++i) {
        a[i] = i * 97 % 1000;
      }
      for (int round = 0; round < 4; ++round) {
        smooth(a, b);
        smooth(b, a);
      }
    }
  }
  long sum = 0;
  int hi = a[0];
  for (int v : a) {
    sum += v;
    if (v > hi) hi = v;
  }
  std::printf("sum %ld max %d a[0] %d a[799] %d\n", sum, hi, a[0], a[799]);
  return 0;
}
