// Exercises: loops with a condition, which promises the serial order where it does not hold; also
// of a region, of collapsed loops and beside a schedule; and simd loops.
#include <cstdio>
#include <vector>

// Right in order alone.
static long chain(std::vector<long> &a, bool is_parallel) {
  long last = 1;
  const int n = static_cast<int>(a.size());
#pragma omp parallel for if (is_parallel)
  for (int i = 0; i < n; ++i) {
    if (!is_parallel) last = (last * 31 + i) % 1000003;
    a[i] = last + i;
  }
#pragma omp parallel if (is_parallel)
  {
#pragma omp for schedule(dynamic, 4)
    for (int i = 0; i < n; ++i) {
      if (!is_parallel) last = (last * 17 + i) % 1000003;
      a[i] += last;
    }
  }
#pragma omp parallel for collapse(2) if (is_parallel)
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 10; ++j) {
      if (!is_parallel) last = (last * 13 + i * 10 + j) % 1000003;
      a[i * 10 + j] += last;
    }
  return last;
}

int main() {
  std::vector<long> a(300);
  for (bool is_parallel : {false, true}) {
    long last = chain(a, is_parallel), sum = 0, doubled[300];
#pragma omp simd
    for (int i = 0; i < 300; ++i) doubled[i] = 2 * a[i];
#pragma omp simd reduction(+ : sum) safelen(8)
    for (int i = 0; i < 300; ++i) sum += doubled[i];
    std::printf("%ld %ld\n", last, sum);
  }
}
