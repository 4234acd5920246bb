// Exercises: taskgroup that waits for nested tasks, two taskgroups one after the other.
#include <iostream>
#include <numeric>
#include <vector>

static void fill(std::vector<long> &v, std::size_t lo, std::size_t hi) {
  if (hi - lo <= 32) {
    for (std::size_t i = lo; i < hi; ++i) v[i] = static_cast<long>(i * i % 211);
    return;
  }
  const std::size_t mid = lo + (hi - lo) / 2;
#pragma omp task shared(v) firstprivate(lo, mid)
  fill(v, lo, mid);
#pragma omp task shared(v) firstprivate(mid, hi)
  fill(v, mid, hi);
}

int main() {
  std::vector<long> v(1000), w(1000);
  long sum_v = 0, sum_w = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
      fill(v, 0, v.size());
    }
    sum_v = std::accumulate(v.begin(), v.end(), 0L);

#pragma omp taskgroup
    {
      for (std::size_t k = 0; k < 4; ++k) {
#pragma omp task shared(v, w) firstprivate(k, sum_v)
        for (std::size_t i = k; i < w.size(); i += 4) w[i] = v[i] + sum_v % 10;
      }
    }
    sum_w = std::accumulate(w.begin(), w.end(), 0L);
  }
  std::cout << "v " << sum_v << "\nw " << sum_w << "\nw[500] " << w[500] << '\n';
  return 0;
}
