// The strands of a run as a graph: each knows all strands that must end before it begins.
#ifndef NOPAL_TESTS_RACE_ORACLE_GRAPH_H
#define NOPAL_TESTS_RACE_ORACLE_GRAPH_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace nopal::race {

class Graph {
 public:
  using Strand = std::uint32_t;

  /// A strand that begins when all of these have ended.
  Strand add(const std::vector<Strand> &former) {
    const auto own = static_cast<Strand>(before_.size());
    if (own == kMost) {
      std::fprintf(stderr, "oracle: more than %u strands\n", kMost);
      std::_Exit(kTooLarge);
    }
    std::vector<std::uint64_t> before(own / 64 + 1);
    for (const Strand one : former) {
      for (std::size_t word = 0; word != before_[one].size(); ++word)
        before[word] |= before_[one][word];
      before[one / 64] |= std::uint64_t{1} << one % 64;
    }
    before_.push_back(std::move(before));
    return own;
  }

  /// Of two different strands, the former made first.
  bool are_parallel(Strand former, Strand later) const {
    return former != later && (before_[later][former / 64] >> former % 64 & 1) == 0;
  }
  std::size_t size() const { return before_.size(); }

  static constexpr int kTooLarge = 99;  // the exit status

 private:
  static constexpr Strand kMost = 40000;
  std::vector<std::vector<std::uint64_t>> before_;  // for each a set of bits
};

}  // namespace nopal::race

#endif
