// What vectorizes in the serial program vectorizes in the leaf: every one of the loops, with its width.
// RUN: %clangxx -std=c++20 -O3 -DCILK_SERIAL -c %s -o %t.o -Rpass=loop-vectorize 2>&1 | grep -o "vectorize.cpp.*width: [0-9]*" | sed "s/:[0-9]*: remark.*width//" | sort -u > %t.serial
// RUN: %clangxx -std=c++20 -O3 -c %s -o %t.o -Rpass=loop-vectorize 2>&1 | grep -o "vectorize.cpp.*width: [0-9]*" | sed "s/:[0-9]*: remark.*width//" | sort -u > %t.leaf
// RUN: comm -23 %t.serial %t.leaf > %t.lost
// RUN: not grep . %t.lost
// The list is not empty: these are the loops.
// RUN: FileCheck %s --input-file=%t.leaf
#include <cilk/cilk.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

// CHECK-DAG: cpp:[[#@LINE + 2]]: 2
void daxpy(double a, double *x, double *y, long n) {
  cilk_for (long i = 0; i < n; ++i) y[i] += a * x[i];
}

// CHECK-DAG: cpp:[[#@LINE + 2]]: 2
void by_reference(double a, const std::vector<double> &x, std::vector<double> &y) {
  cilk_for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
}

// CHECK-DAG: cpp:[[#@LINE + 3]]: 2
double local_vectors(int n, double a) {
  std::vector<double> x(n, 1.0), y(n, 2.0);
  cilk_for (int i = 0; i < n; ++i) y[i] += a * x[i];
  return y[n / 2];
}

// CHECK-DAG: cpp:[[#@LINE + 2]]: 2
void stencil(int n, double *a, const double *b) {
  cilk_for (int i = 1; i < n - 1; ++i) a[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.25 * b[i + 1];
}

// CHECK-DAG: cpp:[[#@LINE + 4]]: 4
void sum_of_row(int n, int m, int *out, const int *a) {
  cilk_for (int i = 0; i < n; ++i) {
    int sum = 0;
    for (int j = 0; j < m; ++j) sum += a[(long)i * m + j];
    out[i] = sum;
  }
}

// CHECK-DAG: cpp:[[#@LINE + 3]]: 4
void triangular(int n, float *a, const float *b) {
  cilk_for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) a[(long)i * n + j] *= b[j];
}

// CHECK-DAG: cpp:[[#@LINE + 2]]: 4
void unsigned_variable(unsigned n, int *a) {
  cilk_for (unsigned i = 0; i < n; ++i) a[i] *= 3;
}

// CHECK-DAG: cpp:[[#@LINE + 2]]: 4
void pointer_variable(int *begin, int *end) {
  cilk_for (int *p = begin; p != end; ++p) *p *= 3;
}

// CHECK-DAG: cpp:[[#@LINE + 2]]: 4
void downwards(int n, int *a) {
  cilk_for (int i = n; i > 0; --i) a[i] *= 3;
}

struct Bodies {
  float *x, *y, *z;
  int n;
  float g;
  // CHECK-DAG: cpp:[[#@LINE + 2]]: 4
  void step(float dt) {
    cilk_for (int i = 0; i < n; ++i) {
      x[i] += dt * z[i];
      y[i] -= g * dt;
    }
  }
};
void step(Bodies &bodies) { bodies.step(0.5f); }

// CHECK-DAG: cpp:[[#@LINE + 3]]: 2
void captured(int n, double *a, double k) {
  auto scale = [&] {
    cilk_for (int i = 0; i < n; ++i) a[i] *= k;
  };
  scale();
}

// CHECK-DAG: cpp:[[#@LINE + 4]]: 2
double arrays(double k) {
  std::array<double, 1000> a, b;
  for (int i = 0; i < 1000; ++i) b[i] = k;
  cilk_for (int i = 0; i < 1000; ++i) a[i] = b[i] * 2;
  return a[7] + a[999];
}

// CHECK-DAG: cpp:[[#@LINE + 2]]: 4
void conditional(int n, int *a, int limit) {
  cilk_for (int i = 0; i < n; ++i)
    if (a[i] > limit) a[i] = limit;
}

// CHECK-DAG: cpp:[[#@LINE + 2]]: 2
void conversion(int n, double *a, const int *b, float s) {
  cilk_for (int i = 0; i < n; ++i) a[i] = b[i] * s;
}

// Variables whose addresses inline functions had. CHECK-DAG: cpp:[[#@LINE + 4]]: 2
void seen_by_others(int n, double *a, double k) {
  const double lower = std::max(k, 1.0);
  const double upper = std::min(lower, k);
  cilk_for (int i = 0; i < n; ++i) a[i] *= lower * upper * k;
}

struct Line {
  double a, b;
};
Line line(int);
// CHECK-DAG: cpp:[[#@LINE + 3]]: 2
void members(int n, double *x) {
  const Line l = line(n);
  cilk_for (int i = 0; i < n; ++i) x[i] = x[i] * l.a + l.b;
}

// CHECK-DAG: cpp:[[#@LINE + 2]]: 4
void span(std::span<float> s, float k) {
  cilk_for (std::size_t i = 0; i < s.size(); ++i) s[i] *= k;
}

// CHECK-DAG: cpp:[[#@LINE + 2]]: 4
void range(std::vector<float> &v, float k) {
  cilk_for (float &x : v) x *= k;
}

// A store of a byte might change the members of the vectors, if anybody knew them. CHECK-DAG: cpp:[[#@LINE + 3]]: 16
int local_bytes(int n) {
  std::vector<unsigned char> a(n, 1), b(n, 2);
  cilk_for (int i = 0; i < n; ++i) a[i] += b[i];
  return a[n / 2];
}
