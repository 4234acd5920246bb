// _Cilk_for and cilk_for: #pragma cilk grainsize, steps, downward loops, iterators, nested loops.
#include <cilk/cilk.h>

#include <cstdio>
#include <vector>

const int kSize = 24;
typedef std::vector<double> Matrix;

void multiply(Matrix &c, const Matrix &a, const Matrix &b, int n) {
#pragma cilk grainsize = 2
  cilk_for (int i = 0; i < n; ++i) {
    cilk_for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}

int main() {
  Matrix a(kSize * kSize), b(kSize * kSize), c(kSize * kSize);
  _Cilk_for(int i = 0; i < kSize * kSize; ++i) {
    a[i] = i % 7;
    b[i] = i % 5 - 2;
  }
  multiply(c, a, b, kSize);

  std::vector<long> v(100);
#pragma cilk grainsize = kSize / 3
  cilk_for (std::size_t i = 0; i != v.size(); i++) v[i] = static_cast<long>(i);
  cilk_for (int i = 99; i >= 0; i -= 3) v[i] *= 10;
  cilk_for (auto it = v.begin(); it < v.end(); it += 4) *it = -*it;
#pragma cilk grainsize = 1
  _Cilk_for(long *p = &v[50]; p != &v[60]; ++p) *p += 1000;

  double trace = 0;
  for (int i = 0; i < kSize; ++i) trace += c[i * kSize + i];
  long sum = 0;
  for (long x : v) sum = sum * 3 % 100003 + x;
  std::printf("%g %g %ld\n", trace, c[kSize + 5], sum);
  return 0;
}
