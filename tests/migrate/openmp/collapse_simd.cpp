// Exercises: collapse(2), collapse(2) with a reduction, parallel for simd.
#include <iostream>
#include <vector>

int main() {
  const int rows = 24, cols = 36, inner = 18;
  std::vector<double> a(rows * inner), b(inner * cols), c(rows * cols);

#pragma omp parallel for collapse(2)
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < inner; ++j) a[i * inner + j] = (i + 2 * j) % 7 - 3;

#pragma omp parallel for simd
  for (int i = 0; i < inner * cols; ++i) b[i] = ((5 * i + 1) & 15) - 7;

#pragma omp parallel for collapse(2) schedule(static)
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      double dot = 0.0;
      for (int k = 0; k < inner; ++k) dot += a[i * inner + k] * b[k * cols + j];
      c[i * cols + j] = dot;
    }
  }

  double sum = 0.0, trace = 0.0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) sum += c[i * cols + j] * (i - j);

#pragma omp parallel for simd reduction(+ : trace)
  for (int i = 0; i < rows; ++i) trace += c[i * cols + i];

  std::cout << "sum " << sum << "\ntrace " << trace << '\n';
  for (int i = 0; i < 3; ++i) std::cout << c[i * cols] << ' ' << c[i * cols + 1] << '\n';
  return 0;
}
