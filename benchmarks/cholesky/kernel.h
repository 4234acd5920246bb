// cholesky: factors a sparse symmetric positive definite matrix, kept as a tree of quarters with
// blocks of 16 x 16 and no node where all is zero. `size` rows, 4 numbers a row off the diagonal
// before the factorization fills it.
#ifndef BENCHMARKS_CHOLESKY_KERNEL_H
#define BENCHMARKS_CHOLESKY_KERNEL_H

#include <cmath>
#include <vector>

#include "../support/program.h"

constexpr int kBlock = 16;

/// A quarter of a matrix, or (depth 0) a block. Null: all zero. Never freed before the process
/// ends.
struct Node {
  union {
    Node *quarter[2][2];
    double block[kBlock][kBlock];
  };
};

/// A node of zeros. Each thread takes memory for many nodes at once: with one malloc for each node,
/// the system would enlarge the heap of every thread but the first for every second node.
inline Node *new_node(int depth) {
  constexpr int kMany = 256;
  static thread_local Node *next = nullptr, *end = nullptr;
  if (next == end) {
    next = new Node[kMany];
    end = next + kMany;
  }
  Node *const node = next++;
  if (depth == 0) {
    for (auto &row : node->block)
      for (double &value : row) value = 0;
  } else {
    for (auto &row : node->quarter) row[0] = row[1] = nullptr;
  }
  return node;
}

/// a = l, l lᵀ = a; only the lower triangle counts.
inline void cholesky_block(Node *a) {
  auto &m = a->block;
  for (int k = 0; k < kBlock; ++k) {
    m[k][k] = std::sqrt(m[k][k]);
    for (int i = k + 1; i < kBlock; ++i) m[i][k] /= m[k][k];
    for (int j = k + 1; j < kBlock; ++j)
      for (int i = j; i < kBlock; ++i) m[i][j] -= m[i][k] * m[j][k];
  }
}

/// a = a l⁻ᵀ.
inline void backsub_block(Node *a, const Node *l) {
  for (int i = 0; i < kBlock; ++i)
    for (int k = 0; k < kBlock; ++k) {
      a->block[i][k] /= l->block[k][k];
      for (int j = k + 1; j < kBlock; ++j) a->block[i][j] -= a->block[i][k] * l->block[j][k];
    }
}

/// r -= a bᵀ.
inline void subtract_block(const Node *a, const Node *b, Node *r) {
  for (int i = 0; i < kBlock; ++i)
    for (int j = 0; j < kBlock; ++j) {
      double sum = 0;
      for (int k = 0; k < kBlock; ++k) sum += a->block[i][k] * b->block[j][k];
      r->block[i][j] -= sum;
    }
}

struct Sparse {
  explicit Sparse(long size) : rows(size) {
    while ((static_cast<long>(kBlock) << depth) < size) ++depth;
    root = new_node(depth);
    for (long i = 0; i < (static_cast<long>(kBlock) << depth); ++i)
      set(i, i, 10);  // rows past `size`: the unit matrix, times 10
    for (long k = 0; k < 4 * size; ++k) {
      const long i = static_cast<long>(bench::mixed(2 * static_cast<std::uint64_t>(k)) %
                                       static_cast<std::uint64_t>(size));
      const long j = static_cast<long>(bench::mixed(2 * static_cast<std::uint64_t>(k) + 1) %
                                       static_cast<std::uint64_t>(size));
      if (i != j) set(i < j ? j : i, i < j ? i : j, 0.1);
    }
  }

  void set(long i, long j, double value) {
    Node *node = root;
    for (int level = depth; level > 0; --level) {
      const long half = static_cast<long>(kBlock) << (level - 1);
      Node *&next = node->quarter[i / half][j / half];
      if (next == nullptr) next = new_node(level - 1);
      node = next;
      i %= half;
      j %= half;
    }
    node->block[i][j] = value;
  }

  /// y += L x or Lᵀ x, with the lower triangle of the node at (row, column).
  static void add_product(const Node *node, int level, long row, long column, bool transposed,
                          const std::vector<double> &x, std::vector<double> *y) {
    if (node == nullptr) return;
    const long half = static_cast<long>(kBlock) << (level - 1 < 0 ? 0 : level - 1);
    if (level > 0) {
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          if (row + i * half >= column + j * half)
            add_product(node->quarter[i][j], level - 1, row + i * half, column + j * half,
                        transposed, x, y);
      return;
    }
    for (long i = row; i < row + kBlock; ++i)
      for (long j = column; j < column + kBlock && j <= i; ++j) {
        const double value = node->block[i - row][j - column];
        if (transposed)
          (*y)[static_cast<std::size_t>(j)] += value * x[static_cast<std::size_t>(i)];
        else
          (*y)[static_cast<std::size_t>(i)] += value * x[static_cast<std::size_t>(j)];
      }
  }

  /// Checks L (Lᵀ x) = A x for one vector; A is made again.
  std::string result() const {
    const Sparse original(rows);
    const std::size_t n = static_cast<std::size_t>(kBlock) << depth;
    std::vector<double> x(n), upper(n), factored(n), expected(n), diagonal(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = bench::uniform(7 + i);
    add_product(root, depth, 0, 0, true, x, &upper);
    add_product(root, depth, 0, 0, false, upper, &factored);
    add_product(original.root, depth, 0, 0, false, x, &expected);
    add_product(original.root, depth, 0, 0, true, x, &expected);  // the diagonal twice: it is 10
    double error = 0, sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      error = std::fmax(error, std::fabs(factored[i] - (expected[i] - 10 * x[i])));
      sum += upper[i];
    }
    return error < 1e-8 ? bench::text("cholesky %ld: %.12g", rows, sum) : "";
  }

  long rows;
  int depth = 0;
  Node *root;
};

#endif
