// Exercises: merge sort with untied and final tasks, taskwait between sort and merge.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

static void merge_sort(int *data, int *tmp, int n) {
  if (n <= 16) {
    std::sort(data, data + n);
    return;
  }
  const int half = n / 2;
#pragma omp task untied final(n < 256)
  merge_sort(data, tmp, half);
#pragma omp task untied final(n < 256)
  merge_sort(data + half, tmp + half, n - half);
#pragma omp taskwait
  std::merge(data, data + half, data + half, data + n, tmp);
  std::copy(tmp, tmp + n, data);
}

int main() {
  const int n = 5000;
  std::vector<int> data(n), tmp(n);
  std::uint32_t seed = 12345;
  for (int &v : data) {
    seed = seed * 1664525u + 1013904223u;
    v = static_cast<int>(seed >> 16) - 30000;
  }

#pragma omp parallel shared(data, tmp)
#pragma omp single nowait
  merge_sort(data.data(), tmp.data(), n);

  std::uint64_t hash = 0;
  for (int v : data) hash = hash * 1099511628211ull + static_cast<std::uint64_t>(v);
  std::printf("sorted %d\n", static_cast<int>(std::is_sorted(data.begin(), data.end())));
  std::printf("min %d max %d hash %llx\n", data.front(), data.back(),
              static_cast<unsigned long long>(hash));
  return 0;
}
