// Nested tbb::parallel_for, and class methods with tbb::parallel_for over data members.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <iostream>
#include <numeric>
#include <vector>

class Matrix {
 public:
  explicit Matrix(int n) : n_(n), cells_(n * n) {}
  void fill(int seed) {
    tbb::parallel_for(0, n_ * n_, [this, seed](int k) { cells_[k] = (k * seed + 3) % 19; });
  }
  void add_diagonal(long value) {
    tbb::parallel_for(tbb::blocked_range<int>(0, n_), [&](const auto &r) {
      for (int i = r.begin(); i != r.end(); ++i) cells_[i * n_ + i] += value;
    });
  }
  Matrix times(const Matrix &other) const {
    Matrix product(n_);
    tbb::parallel_for(0, n_, [&](int i) {
      tbb::parallel_for(0, n_, [&](int j) {
        for (int k = 0; k < n_; ++k)
          product.cells_[i * n_ + j] += cells_[i * n_ + k] * other.cells_[k * n_ + j];
      });
    });
    return product;
  }
  long checksum() const { return std::accumulate(cells_.begin(), cells_.end(), 1L, mix); }

 private:
  static long mix(long sum, long cell) { return (sum * 31 + cell) % 1000003; }
  int n_;
  std::vector<long> cells_;
};

int main() {
  Matrix a(60), b(60);
  a.fill(7);
  b.fill(5);
  b.add_diagonal(100);
  std::cout << "product " << a.times(b).checksum() << '\n';
}
