// The simulated programs, by the words of `nopal-sim run --program`. The paper's are in
// paper_programs.cpp, UTS in uts_program.cpp, recorded ones in trace_program.cpp.
#include <algorithm>

#include "parameters.h"

namespace nopal::sim {
namespace {

using Kind = Step::Kind;

/// A binary tree: a leaf is a strand; an inner instance spawns the left part and calls the right.
class Binary : public Program {
 public:
  Step step(const Node &node, std::uint32_t pc, Node &child) const noexcept final {
    if (is_leaf(node)) return {Kind::kReturn, leaf_work(node)};
    switch (pc) {
      case 0:
        child = part(node, false);
        return {Kind::kSpawn, inner_work_};
      case 1:
        child = part(node, true);
        return {Kind::kCall, 0};
      default:
        return {Kind::kReturn, 0};
    }
  }

 protected:
  virtual bool is_leaf(const Node &node) const noexcept = 0;
  virtual Time leaf_work(const Node &node) const noexcept = 0;
  virtual Node part(const Node &node, bool is_right) const noexcept = 0;

  Time inner_work_ = 1;
};

/// c: height.
class Tree final : public Binary {
 public:
  explicit Tree(Parameters &p) : leaf_(p.number("leaf")) {
    inner_work_ = p.number("inner");
    first_.c = static_cast<std::uint32_t>(p.number("depth"));
  }

 private:
  bool is_leaf(const Node &node) const noexcept override { return node.c == 0; }
  Time leaf_work(const Node &) const noexcept override { return leaf_; }
  Node part(const Node &node, bool) const noexcept override { return {.c = node.c - 1}; }

  Time leaf_;
};

/// a: leaves below.
class Skewed final : public Binary {
 public:
  explicit Skewed(Parameters &p) : leaf_(p.number("leaf")), ratio_(p.real("ratio")) {
    inner_work_ = p.number("inner");
    first_.a = p.number("leaves");
    p.require(ratio_ > 0 && ratio_ < 1, "ratio", "above 0 and below 1");
    p.require(first_.a > 0, "leaves", "at least 1");
  }

 private:
  bool is_leaf(const Node &node) const noexcept override { return node.a == 1; }
  Time leaf_work(const Node &) const noexcept override { return leaf_; }
  Node part(const Node &node, bool is_right) const noexcept override {
    const auto left = std::clamp<std::uint64_t>(
        static_cast<std::uint64_t>(static_cast<double>(node.a) * ratio_), 1, node.a - 1);
    return {.a = is_right ? node.a - left : left};
  }

  Time leaf_;
  double ratio_;
};

/// a: leaves below, c: levels down to them. All leaves lie at the bottom, so each path takes S1,
/// and a continuation that is stolen near the bottom brings as deep a path as one from the top.
class Deep final : public Program {
 public:
  explicit Deep(Parameters &p) : leaf_(p.number("leaf")), ratio_(p.real("ratio")) {
    first_.a = p.number("leaves");
    first_.c = static_cast<std::uint32_t>(p.number("depth"));
    p.require(ratio_ > 0 && ratio_ < 1, "ratio", "above 0 and below 1");
    p.require(first_.a > 0, "leaves", "at least 1");
    p.require(first_.a <= most_below(first_.c), "depth", "at least lg leaves");
  }

  Step step(const Node &node, std::uint32_t pc, Node &child) const noexcept override {
    if (node.c == 0) return {Kind::kReturn, leaf_};
    if (node.a == 1) {
      child = {.a = 1, .c = node.c - 1};
      return {pc == 0 ? Kind::kCall : Kind::kReturn, 0};
    }
    if (pc == 2) return {Kind::kReturn, 0};
    const std::uint64_t most = std::min(most_below(node.c - 1), node.a - 1);
    const auto left = std::clamp<std::uint64_t>(
        static_cast<std::uint64_t>(static_cast<double>(node.a) * ratio_), node.a - most, most);
    child = {.a = pc == 0 ? left : node.a - left, .c = node.c - 1};
    return pc == 0 ? Step{Kind::kSpawn, 1} : Step{Kind::kCall, 0};
  }

 private:
  static std::uint64_t most_below(std::uint32_t levels) noexcept {
    return std::uint64_t{1} << std::min(levels, 62u);
  }

  Time leaf_;
  double ratio_;
};

/// c: n. As `fib(n - 1)` spawned, `fib(n - 2)` called.
class Fib final : public Binary {
 public:
  explicit Fib(Parameters &p) : leaf_(p.number("leaf")) {
    inner_work_ = p.number("inner");
    first_.c = static_cast<std::uint32_t>(p.number("n"));
  }

 private:
  bool is_leaf(const Node &node) const noexcept override { return node.c < 2; }
  Time leaf_work(const Node &) const noexcept override { return leaf_; }
  Node part(const Node &node, bool is_right) const noexcept override {
    return {.c = node.c - (is_right ? 2 : 1)};
  }

  Time leaf_;
};

/// a, b: the iterations [a, b); c: 1 in an inner loop. A leaf of the outer loop calls the inner one
/// for each of its iterations.
class Loops final : public Program {
 public:
  explicit Loops(Parameters &p)
      : inner_count_(p.number("inner")), body_(p.number("body")), grain_(p.number("grain")) {
    first_.b = p.number("outer");
    p.require(first_.b > 0, "outer", "at least 1");
    p.require(inner_count_ > 0, "inner", "at least 1");
    p.require(grain_ > 0, "grain", "at least 1");
  }

  Step step(const Node &node, std::uint32_t pc, Node &child) const noexcept override {
    const std::uint64_t count = node.b - node.a;
    if (node.c == 0 && count == 1) {
      if (pc > 0) return {Kind::kReturn, 0};
      child = {.a = 0, .b = inner_count_, .c = 1};
      return {Kind::kCall, 0};
    }
    if (node.c == 1 && count <= grain_) return {Kind::kReturn, body_ * count};
    const std::uint64_t middle = node.a + count / 2;
    if (pc == 0) {
      child = {.a = node.a, .b = middle, .c = node.c};
      return {Kind::kSpawn, 1};
    }
    if (pc == 1) {
      child = {.a = middle, .b = node.b, .c = node.c};
      return {Kind::kCall, 0};
    }
    return {Kind::kReturn, 0};
  }

 private:
  std::uint64_t inner_count_;
  Time body_;
  std::uint64_t grain_;
};

/// c: height, or kPhases for the root, which runs a serial part and a tree by turns.
class Bursts final : public Program {
 public:
  explicit Bursts(Parameters &p)
      : phases_(static_cast<std::uint32_t>(p.number("phases"))),
        depth_(static_cast<std::uint32_t>(p.number("depth"))),
        serial_(p.number("serial")),
        leaf_(p.number("leaf")) {
    first_.c = kPhases;
  }

  Step step(const Node &node, std::uint32_t pc, Node &child) const noexcept override {
    if (node.c == kPhases) {
      if (pc == phases_) return {Kind::kReturn, 0};
      child = {.c = depth_};
      return {Kind::kCall, serial_};
    }
    if (node.c == 0) return {Kind::kReturn, leaf_};
    if (pc == 2) return {Kind::kReturn, 0};
    child = {.c = node.c - 1};
    return pc == 0 ? Step{Kind::kSpawn, 1} : Step{Kind::kCall, 0};
  }

 private:
  static constexpr std::uint32_t kPhases = ~0u;
  std::uint32_t phases_, depth_;
  Time serial_, leaf_;
};

/// One instance that spawns tiny children one after the other. c: 1 in a child.
class Spawns final : public Program {
 public:
  explicit Spawns(Parameters &p)
      : children_(static_cast<std::uint32_t>(p.number("n"))), leaf_(p.number("leaf")) {}

  Step step(const Node &node, std::uint32_t pc, Node &child) const noexcept override {
    if (node.c == 1) return {Kind::kReturn, leaf_};
    if (pc == children_) return {Kind::kReturn, 0};
    child = {.c = 1};
    return {Kind::kSpawn, 1};
  }

 private:
  std::uint32_t children_;
  Time leaf_;
};

}  // namespace

const std::vector<ProgramRow> &plain_programs() {
  static const std::vector<ProgramRow> rows{
      {"tree", "depth=20,leaf=1,inner=1", "a balanced binary tree", make<Tree>},
      {"skewed", "leaves=1000000,ratio=0.9,leaf=1,inner=1", "a tree that splits unevenly",
       make<Skewed>},
      {"fib", "n=27,leaf=1,inner=1", "the calls of fib(n)", make<Fib>},
      {"loops", "outer=1000,inner=1000,grain=16,body=10", "a cilk_for in a cilk_for", make<Loops>},
      {"bursts", "phases=20,depth=12,serial=20000,leaf=100", "serial parts and trees by turns",
       make<Bursts>},
      {"spawns", "n=10000,leaf=20", "a loop that spawns tiny children", make<Spawns>},
      {"deep", "leaves=1000,ratio=0.9,depth=200,leaf=1000",
       "a tree that splits unevenly and has all leaves at the bottom", make<Deep>}};
  return rows;
}

}  // namespace nopal::sim
