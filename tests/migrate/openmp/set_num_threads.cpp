// Exercises: omp_set_num_threads before each of several regions, also after the first one.
#include <omp.h>

#include <cstdio>
#include <vector>

int main() {
  const int n = 400;
  for (int threads = 1; threads <= 4; ++threads) {
    omp_set_num_threads(threads);
    std::vector<int> v(n);
    int most = 0;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; ++i) {
      v[i] = i * threads;
      most = omp_get_num_threads();
    }
    std::printf("%d %d %d\n", threads, v[n - 1], most);
  }
}
