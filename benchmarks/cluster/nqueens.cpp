// nqueens across ranks: how many ways N queens stand on a board of N x N without a threat.
//
//   mpirun -n 2 nqueens 12
//
// A bag holds boards whose first rows are filled; a step fills one more row of one board.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cilk/cluster.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "finish.h"

namespace {

int size = 10;

/// The columns and diagonals that are taken, as seen from the next row.
struct Board {
  std::uint32_t columns, left, right;
  int rows;
};

class Boards {
 public:
  using result_type = long;

  static Boards start() {
    Boards bag;
    bag.boards_.push_back({0, 0, 0, 0});
    return bag;
  }
  bool empty() const { return boards_.empty(); }
  std::size_t process(std::size_t steps, long &solutions) {
    std::size_t made = 0;
    for (; made < steps && !boards_.empty(); ++made) {
      const Board board = boards_.back();
      boards_.pop_back();
      std::uint32_t free = ~(board.columns | board.left | board.right) & ((1u << size) - 1);
      for (; free != 0; free &= free - 1) {
        const std::uint32_t queen = free & -free;
        if (board.rows + 1 == size)
          ++solutions;
        else
          boards_.push_back({board.columns | queen, (board.left | queen) << 1,
                             (board.right | queen) >> 1, board.rows + 1});
      }
    }
    return made;
  }
  // The boards with the fewest rows stand first: every second one.
  Boards split() {
    Boards half;
    if (boards_.size() < 2 || boards_.front().rows > size - 4) return half;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < boards_.size(); ++i) {
      if (i % 2 == 0)
        half.boards_.push_back(boards_[i]);
      else
        boards_[kept++] = boards_[i];
    }
    boards_.resize(kept);
    return half;
  }
  void merge(Boards other) {
    boards_.insert(boards_.begin(), other.boards_.begin(), other.boards_.end());
  }
  static void reduce(long &left, long &right) { left += right; }
  void save(cilk::wire &out) const { put(out, boards_); }
  void load(cilk::wire &in) { get(in, boards_); }

 private:
  std::vector<Board> boards_;
};

}  // namespace

int main(int argc, char **argv) {
  constexpr long kSolutions[] = {1,  1,   0,   0,    2,     10,    4,      40,
                                 92, 352, 724, 2680, 14200, 73712, 365596, 2279184};
  if (argc > 1) size = std::atoi(argv[1]);
  if (size < 4 || size > 15)
    return std::fprintf(stderr, "usage: %s SIZE, from 4 to 15\n", argv[0]), 2;
  cilk::cluster ranks(argc, argv);
  const double begin = MPI_Wtime();
  const long found = ranks.run(ranks.rank() == 0 ? Boards::start() : Boards());
  return finish(ranks, std::to_string(size) + " queens: " + std::to_string(found),
                found == kSolutions[size], MPI_Wtime() - begin);
}
