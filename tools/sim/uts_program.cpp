// UTS, unbalanced tree search (Olivier et al., LCPC 2006), with the published generator: the same
// SHA-1 and the same trees as the benchmark of that name (benchmarks/uts).
//
// The tests count the nodes of the published trees T1 and T3.
#include <algorithm>
#include <bit>
#include <cmath>

#include "parameters.h"
#include "uts/sha1.h"

namespace nopal::sim {
namespace {

using Kind = Step::Kind;

/// A node's 20 bytes of state are in a, b and d. c: its depth.
class Uts final : public Program {
 public:
  explicit Uts(Parameters &p)
      : is_binomial_(p.word("kind", {"geometric", "binomial"}) == "binomial"),
        branching_(p.real("b")),
        depth_(static_cast<std::uint32_t>(p.number("depth"))),
        chance_(p.real("q")),
        children_(static_cast<std::uint32_t>(p.number("m"))),
        work_(p.number("work")) {
    p.require(!is_binomial_ || chance_ * children_ < 1, "q", "below 1/m, or the tree has no end");
    first_ = node_of(root_state(static_cast<std::uint32_t>(p.number("tree"))), 0);
  }

  Step step(const Node &node, std::uint32_t pc, Node &child) const noexcept override {
    const std::uint32_t count = children(node);
    const Time work = pc == 0 ? work_ : 0;
    if (pc >= count) return {Kind::kReturn, work};
    child = node_of(child_state(state_of(node), static_cast<int>(pc)), node.c + 1);
    return {Kind::kSpawn, work};
  }

 private:
  static Node node_of(const State &state, std::uint32_t depth) noexcept {
    const auto pair = [&state](int i) {
      return std::uint64_t{state.word[i]} << 32 | state.word[i + 1];
    };
    return {.a = pair(0), .b = pair(2), .c = depth, .d = state.word[4]};
  }
  static State state_of(const Node &node) noexcept {
    return {{static_cast<std::uint32_t>(node.a >> 32), static_cast<std::uint32_t>(node.a),
             static_cast<std::uint32_t>(node.b >> 32), static_cast<std::uint32_t>(node.b), node.d}};
  }

  std::uint32_t children(const Node &node) const noexcept {
    if (is_binomial_ && node.c == 0) return static_cast<std::uint32_t>(branching_);
    if (!is_binomial_ && node.c >= depth_) return 0;
    const double u = State{{0, 0, 0, 0, node.d}}.uniform();
    if (is_binomial_) return u < chance_ ? children_ : 0;
    const double p = 1 / (1 + branching_);  // geometric with mean b
    return std::min(100u, static_cast<std::uint32_t>(std::log(1 - u) / std::log(1 - p)));
  }

  bool is_binomial_;
  double branching_;
  std::uint32_t depth_;
  double chance_;
  std::uint32_t children_;
  Time work_;
};

}  // namespace

const std::vector<ProgramRow> &uts_programs() {
  static const std::vector<ProgramRow> rows{
      {"uts", "kind=geometric,b=4,depth=10,q=0.124875,m=8,tree=19,work=100",
       "unbalanced tree search; as it stands T1, and T3 with kind=binomial,b=2000,tree=42",
       make<Uts>}};
  return rows;
}

}  // namespace nopal::sim
