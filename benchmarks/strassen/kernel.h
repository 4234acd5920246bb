// strassen: product of square matrices by seven products of halves, each a spawn, down to 64 x 64.
// A child makes its own operands, in memory that earlier ones have used; rows of large operands and
// results are made in parallel.
#ifndef BENCHMARKS_STRASSEN_KERNEL_H
#define BENCHMARKS_STRASSEN_KERNEL_H

#include <sys/mman.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#ifdef __nopal_race__
#include <cilk/race.h>
#endif

#include "../support/matrix.h"

constexpr long kLeaf = 64;
constexpr long kParallelRows = 256;  // so many rows are worth a parallel loop
constexpr int kProducts = 7;

/// Memory for `count` numbers of any value; its destructor returns it to a pool. The pool keeps its
/// memory and uses huge pages, since the kernel clears new pages mostly for one thread at a time.
/// Any thread; a lock.
class Scratch {
 public:
  explicit Scratch(long count) : count_(count) {
    const std::lock_guard lock(mutex_);
    auto &free = free_[count];
    if (free.empty()) {
      numbers_ = take_new(static_cast<std::size_t>(count) * sizeof(double));
    } else {
      numbers_ = free.back();
      free.pop_back();
    }
#ifdef __nopal_race__  // the memory has another user now
    nopal_race_forget(numbers_, static_cast<std::size_t>(count) * sizeof(double));
#endif
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() {
    const std::lock_guard lock(mutex_);
    free_[count_].push_back(numbers_);
  }
  double *numbers() const { return numbers_; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;

  /// Under the lock.
  static double *take_new(std::size_t bytes) {
    if (bytes > left_) {
      left_ = (bytes + kHugePage - 1) / kHugePage * kHugePage;
      next_ = static_cast<char *>(std::aligned_alloc(kHugePage, left_));
      if (next_ == nullptr) throw std::bad_alloc();
      madvise(next_, left_, MADV_HUGEPAGE);  // where there are none: as without
    }
    left_ -= bytes;
    return reinterpret_cast<double *>(std::exchange(next_, next_ + bytes));
  }

  static inline std::mutex mutex_;
  static inline std::map<long, std::vector<double *>> free_;  // by their size
  static inline char *next_ = nullptr;                        // of what nobody has used yet
  static inline std::size_t left_ = 0;

  long count_;
  double *numbers_;
};

/// A square part of a matrix; rows are `stride` apart.
struct View {
  View quarter(int row, int column, long half) const {
    return {at + row * half * stride + column * half, stride};
  }

  double *at;
  long stride;
};

inline void multiply_leaf(View a, View b, View c, long n) {
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) c.at[i * c.stride + j] = 0;
    for (long p = 0; p < n; ++p) {
      const double factor = a.at[i * a.stride + p];
      for (long j = 0; j < n; ++j) c.at[i * c.stride + j] += factor * b.at[p * b.stride + j];
    }
  }
}

/// Which quarters make an operand: one, and a second with its sign (0: none).
struct Terms {
  int first, second, sign;
};
constexpr Terms kLeft[kProducts] = {{0, 3, 1}, {2, 3, 1},  {0, 0, 0}, {3, 0, 0},
                                    {0, 1, 1}, {2, 0, -1}, {1, 3, -1}};
constexpr Terms kRight[kProducts] = {{0, 3, 1}, {0, 0, 0}, {1, 3, -1}, {2, 0, -1},
                                     {3, 0, 0}, {0, 1, 1}, {2, 3, 1}};

// What each variant defines.
static void multiply(View a, View b, View c, long n);
/// Calls row(i) for each i below `rows`; from kParallelRows on in parallel.
template <class Row>
static void for_rows(long rows, const Row &row);

/// An operand of a product of halves, in memory of its own.
class Operand {
 public:
  Operand(View from, Terms terms, long half)
      : half_(half),
        sign_(terms.sign),
        x_(from.quarter(terms.first / 2, terms.first % 2, half)),
        y_(from.quarter(terms.second / 2, terms.second % 2, half)),
        memory_(half * half) {}
  /// Different rows at once.
  void make_row(long i) const {
    for (long j = 0; j < half_; ++j)
      view().at[i * half_ + j] = x_.at[i * x_.stride + j] + sign_ * y_.at[i * y_.stride + j];
  }
  View view() const { return {memory_.numbers(), half_}; }

 private:
  long half_;
  int sign_;
  View x_, y_;
  Scratch memory_;
};

/// The factors and the products of one level; a product is an n/2 x n/2 matrix.
class Level {
 public:
  Level(View a, View b, long n) : half_(n / 2), a_(a), b_(b), memory_(kProducts * half_ * half_) {}
  long rows() const { return half_; }
  Operand left(int k) const { return {a_, kLeft[k], half_}; }
  Operand right(int k) const { return {b_, kRight[k], half_}; }
  View product(int k) const { return {memory_.numbers() + k * half_ * half_, half_}; }

  /// Row i of the quarters of c from the seven products. Different ones at once.
  void combine(View c, long i) const {
    for (long j = 0; j < half_; ++j) {
      double m[kProducts];
      for (int k = 0; k < kProducts; ++k) m[k] = product(k).at[i * half_ + j];
      double *const upper = c.at + i * c.stride + j, *const lower = upper + half_ * c.stride;
      upper[0] = m[0] + m[3] - m[4] + m[6];
      upper[half_] = m[2] + m[4];
      lower[0] = m[1] + m[3];
      lower[half_] = m[0] - m[1] + m[2] + m[5];
    }
  }

 private:
  long half_;
  View a_, b_;
  Scratch memory_;
};

/// Product k of a level, operands included. Different ones at once.
static void multiply_part(const Level &level, int k) {
  const Operand left = level.left(k), right = level.right(k);
  for_rows(level.rows(), [&](long i) {
    left.make_row(i);
    right.make_row(i);
  });
  multiply(left.view(), right.view(), level.product(k), level.rows());
}

static void solve(bench::SquareProduct &input) {
  multiply({input.a.data(), input.n}, {input.b.data(), input.n}, {input.c.data(), input.n},
           input.n);
}

#endif
