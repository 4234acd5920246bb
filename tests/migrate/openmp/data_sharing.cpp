// Exercises: default(none) with shared(...), private(x), firstprivate(x) that is only read.
#include <cstdio>
#include <vector>

int main() {
  const int n = 400;
  std::vector<int> in(n), out(n), diff(n);
  int scale = 3;
  int offset = 11;
  int tmp = -1;

#pragma omp parallel for default(none) shared(in, n)
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 29 + 5) % 97;
  }

#pragma omp parallel for default(none) shared(in, out, n) private(tmp) firstprivate(scale, offset)
  for (int i = 0; i < n; ++i) {
    tmp = in[i] * scale;
    tmp += offset;
    out[i] = tmp % 101;
  }

#pragma omp parallel for firstprivate(offset)
  for (int i = 0; i < n; ++i) {
    diff[i] = out[i] - in[(i + offset) % n];
  }

  long sum_in = 0, sum_out = 0, weighted = 0;
  for (int i = 0; i < n; ++i) {
    sum_in += in[i];
    sum_out += out[i];
    weighted += static_cast<long>(i) * diff[i];
  }
  std::printf("in %ld out %ld weighted %ld\n", sum_in, sum_out, weighted);
  std::printf("scale %d offset %d tmp %d\n", scale, offset, tmp);
  return 0;
}
