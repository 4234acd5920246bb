// strassen: matrix multiplication with seven products of halves, each a spawned lambda over
// matrices that are locals with destructors: the children write to temporaries that die at the end
// of the function, after its implicit sync. The numbers are small integers, so that the result is
// exact.
//
// matrix: args 64
// matrix: chaos-args 64
// matrix: flags -std=c++20

#include <cilk/cilk.h>

#include <vector>

#include "../support/check.h"

namespace {

constexpr int kLeaf = 16;

// A square matrix whose size is a power of two.
class Matrix {
 public:
  explicit Matrix(int size) : size_(size), data_(static_cast<std::size_t>(size) * size) {}
  int size() const { return size_; }
  double &at(int row, int column) { return data_[static_cast<std::size_t>(row) * size_ + column]; }
  double at(int row, int column) const {
    return data_[static_cast<std::size_t>(row) * size_ + column];
  }
  bool operator==(const Matrix &other) const = default;

  Matrix quarter(int row, int column) const {
    const int half = size_ / 2;
    Matrix result(half);
    for (int i = 0; i < half; ++i) {
      for (int j = 0; j < half; ++j) result.at(i, j) = at(row * half + i, column * half + j);
    }
    return result;
  }

 private:
  int size_;
  std::vector<double> data_;
};

Matrix operator+(Matrix a, const Matrix &b) {
  for (int i = 0; i < a.size(); ++i) {
    for (int j = 0; j < a.size(); ++j) a.at(i, j) += b.at(i, j);
  }
  return a;
}

Matrix operator-(Matrix a, const Matrix &b) {
  for (int i = 0; i < a.size(); ++i) {
    for (int j = 0; j < a.size(); ++j) a.at(i, j) -= b.at(i, j);
  }
  return a;
}

Matrix multiply_by_definition(const Matrix &a, const Matrix &b) {
  Matrix c(a.size());
  for (int i = 0; i < a.size(); ++i) {
    for (int k = 0; k < a.size(); ++k) {
      for (int j = 0; j < a.size(); ++j) c.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return c;
}

Matrix strassen(const Matrix &a, const Matrix &b) {
  if (a.size() <= kLeaf) return multiply_by_definition(a, b);
  const Matrix a11 = a.quarter(0, 0), a12 = a.quarter(0, 1), a21 = a.quarter(1, 0),
               a22 = a.quarter(1, 1);
  const Matrix b11 = b.quarter(0, 0), b12 = b.quarter(0, 1), b21 = b.quarter(1, 0),
               b22 = b.quarter(1, 1);

  Matrix m1 =
      cilk_spawn strassen(a11 + a22,
                               b11 + b22);  // the arguments are temporaries that the child destroys
  Matrix m2 = cilk_spawn strassen(a21 + a22, b11);
  Matrix m3 = cilk_spawn strassen(a11, b12 - b22);
  Matrix m4 = cilk_spawn strassen(a22, b21 - b11);
  Matrix m5 = cilk_spawn strassen(a11 + a12, b22);
  Matrix m6 = cilk_spawn [&] { return strassen(a21 - a11, b11 + b12); }();
  Matrix m7 = strassen(a12 - a22, b21 + b22);
  cilk_sync;

  const int half = a.size() / 2;
  Matrix c(a.size());
  for (int i = 0; i < half; ++i) {
    for (int j = 0; j < half; ++j) {
      c.at(i, j) = m1.at(i, j) + m4.at(i, j) - m5.at(i, j) + m7.at(i, j);
      c.at(i, j + half) = m3.at(i, j) + m5.at(i, j);
      c.at(i + half, j) = m2.at(i, j) + m4.at(i, j);
      c.at(i + half, j + half) = m1.at(i, j) - m2.at(i, j) + m3.at(i, j) + m6.at(i, j);
    }
  }
  return c;
}

}  // namespace

int main(int argc, char **argv) {
  const int size = static_cast<int>(size_argument(argc, argv, 256));
  Matrix a(size), b(size);
  unsigned long random = 4;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      a.at(i, j) = static_cast<double>(next_random(&random) % 9) - 4;
      b.at(i, j) = static_cast<double>(next_random(&random) % 9) - 4;
    }
  }
  const Matrix c = strassen(a, b);
  CHECK(c == multiply_by_definition(a, b));
  unsigned long checksum = 0;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j)
      checksum = mix(checksum, static_cast<unsigned long>(static_cast<long>(c.at(i, j))));
  }
  printf("strassen %dx%d: checksum %016lx\n", size, size, checksum);
  return 0;
}
