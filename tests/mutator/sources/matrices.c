/* Matrices and other loops over doubles: products, LU, Jacobi, transposes, convolution,
 * polynomials, prefix sums, life, sieve. */
#include <math.h>
#include "common.h"

enum { N = 5 };
typedef double matrix[N][N];

static void product(matrix a, matrix b, matrix r) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      double sum = 0;
      for (int k = 0; k < N; ++k) sum += a[i][k] * b[k][j];
      r[i][j] = sum;
    }
}
static double determinant(matrix a) {
  double result = 1;
  for (int k = 0; k < N; ++k) {
    int pivot = k;
    for (int i = k + 1; i < N; ++i)
      if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
    if (a[pivot][k] == 0) return 0;
    if (pivot != k) {
      for (int j = 0; j < N; ++j) {
        double t = a[k][j];
        a[k][j] = a[pivot][j];
        a[pivot][j] = t;
      }
      result = -result;
    }
    result *= a[k][k];
    for (int i = k + 1; i < N; ++i) {
      double factor = a[i][k] / a[k][k];
      for (int j = k; j < N; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  return result;
}
static int jacobi(double *x, int n) {
  double next[16];
  for (int round = 1;; ++round) {
    double change = 0;
    for (int i = 0; i < n; ++i) {
      double left = i ? x[i - 1] : 1, right = i < n - 1 ? x[i + 1] : 0;
      next[i] = (left + right) * 0.25 + 0.1;
      change += fabs(next[i] - x[i]);
    }
    memcpy(x, next, sizeof *x * (size_t)n);
    if (change < 1e-3 || round == 30) return round;
  }
}
static double horner(const float *c, int n, float x) {
  float r = 0;
  while (n-- > 0) r = r * x + c[n];
  return r;
}
static int alive(unsigned char cells[8][8], int y, int x) {
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dy || dx) n += cells[(y + dy) & 7][(x + dx) & 7];
  return n == 3 || (n == 2 && cells[y][x]);
}
static int sieve(int limit) {
  char composite[200] = {0};
  int count = 0;
  for (int i = 2; i < limit; ++i) {
    if (composite[i]) continue;
    ++count;
    for (int j = i * i; j < limit; j += i) composite[j] = 1;
  }
  return count;
}
static int variable(int n) {
  int triangle[n][n], sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      triangle[i][j] = j == 0 || j == i ? 1 : triangle[i - 1][j - 1] + triangle[i - 1][j];
  for (int j = 0; j < n; ++j) sum += triangle[n - 1][j] * (j + 1);
  return sum;
}

int main(void) {
  matrix a, b, c;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      a[i][j] = (double)(next_random() % 10);
      b[i][j] = i == j ? 2 : 1;
    }
  product(a, b, c);
  for (int i = 0; i < N; ++i) add_double(c[i][N - 1 - i]);
  double d = determinant(c);
  printf("%.6g\n", d);
  double x[12] = {0};
  int rounds = jacobi(x, 12);
  printf("%d %.9g\n", rounds, x[3]);
  float coefficients[] = {1, -2, 0.5f, 3};
  for (int i = -2; i < 3; ++i) add_double(horner(coefficients, 4, (float)i));
  unsigned char cells[8][8] = {{0, 1}, {0, 0, 1}, {1, 1, 1}}, next[8][8];
  for (int round = 0; round < 3; ++round) {
    for (int y = 0; y < 8; ++y)
      for (int i = 0; i < 8; ++i) next[y][i] = (unsigned char)alive(cells, y, i);
    memcpy(cells, next, sizeof cells);
  }
  add_bytes(cells, sizeof cells);
  add((uint64_t)sieve(200));
  add((uint64_t)variable(opaque(9)));
  show("matrices");
  return 0;
}
