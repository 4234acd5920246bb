// Exercises: a template function with a parallel for, lambda bodies, a pragma inside a lambda.
#include <cstddef>
#include <iostream>
#include <vector>

template <typename T, typename F>
void transform_all(std::vector<T> &v, F f) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = f(v[i], i);
  }
}

template <typename T>
T dot(const std::vector<T> &a, const std::vector<T> &b) {
  T sum{};
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

int main() {
  std::vector<int> a(700, 1);
  std::vector<double> x(300, 0.5);
  int shift = 4;
  transform_all(a, [shift](int v, std::size_t i) { return v + static_cast<int>(i % 9) - shift; });
  transform_all(x, [](double v, std::size_t i) { return v * static_cast<double>(i % 16); });
  std::cout << "int " << dot(a, a) << "\ndouble " << dot(x, x) << '\n';

  auto count_if = [&](auto pred) {
    int count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < 700; ++i) {
      if (pred(a[i])) ++count;
    }
    return count;
  };
  std::cout << "even " << count_if([](int v) { return v % 2 == 0; }) << '\n';
  std::cout << "negative " << count_if([](int v) { return v < 0; }) << '\n';
  return 0;
}
