// The programs of the paper on localized work stealing: each owner has a balanced binary tree of
// serial tasks, and begins with it.
#include <algorithm>
#include <bit>

#include "parameters.h"

namespace nopal::sim {
namespace {

using Kind = Step::Kind;

/// a: the owner, b: the first task below, c: depth, d: how many tasks are below.
class OwnedTrees : public Program {
 public:
  bool has_owners() const noexcept override { return true; }

  Step step(const Node &node, std::uint32_t pc, Node &child) const noexcept final {
    if (node.d == 1) return {Kind::kReturn, task(static_cast<std::uint32_t>(node.a), node.b)};
    const std::uint32_t left = (node.d + 1) / 2;
    switch (pc) {
      case 0:
        child = {.a = node.a, .b = node.b, .c = node.c + 1, .d = left};
        return {Kind::kSpawn, 1};
      case 1:
        child = {.a = node.a, .b = node.b + left, .c = node.c + 1, .d = node.d - left};
        return {Kind::kCall, 0};
      default:
        return {Kind::kReturn, 0};
    }
  }

  std::vector<Root> roots() const final {
    std::vector<Root> roots;
    for (std::uint32_t i = 0; i < owners(); ++i)
      if (tasks(i) > 0) roots.push_back({i, {.a = i, .d = tasks(i)}});
    return roots;
  }

 protected:
  virtual std::uint32_t owners() const noexcept = 0;
  virtual std::uint32_t tasks(std::uint32_t owner) const noexcept = 0;
  virtual Time task(std::uint32_t owner, std::uint64_t index) const noexcept = 0;
};

/// Evenly over [leaf, ratio * leaf].
Time spread(std::uint32_t owner, std::uint64_t index, Time leaf, Time ratio) noexcept {
  const std::uint64_t bits = (std::uint64_t{owner} << 32 | index) * 0x9e3779b97f4a7c15u;
  return leaf + (bits >> 40) * leaf * (ratio - 1) / ((1u << 24) - 1);
}

/// Sizes of tasks spread evenly over [leaf, m * leaf].
class Owners final : public OwnedTrees {
 public:
  explicit Owners(Parameters &p)
      : owners_(static_cast<std::uint32_t>(p.number("owners"))),
        tasks_(1u << p.number("depth")),
        leaf_(p.number("leaf")),
        ratio_(p.number("m")) {
    if (owners_ == 0) owners_ = p.workers();
    p.require(owners_ <= p.workers(), "owners", "at most the number of workers");
    p.require(p.number("depth") < 31, "depth", "below 31");
    p.require(ratio_ > 0, "m", "at least 1");
  }

 private:
  std::uint32_t owners() const noexcept override { return owners_; }
  std::uint32_t tasks(std::uint32_t) const noexcept override { return tasks_; }
  Time task(std::uint32_t owner, std::uint64_t index) const noexcept override {
    return spread(owner, index, leaf_, ratio_);
  }

  std::uint32_t owners_, tasks_;
  Time leaf_, ratio_;
};

/// The same with one root that nobody owns for ever, as a Cilk program has.
class Tasks final : public OwnedTrees {
 public:
  explicit Tasks(Parameters &p)
      : tasks_(1u << p.number("depth")), leaf_(p.number("leaf")), ratio_(p.number("m")) {
    p.require(p.number("depth") < 31, "depth", "below 31");
    p.require(ratio_ > 0, "m", "at least 1");
  }
  bool has_owners() const noexcept override { return false; }

 private:
  std::uint32_t owners() const noexcept override { return 1; }
  std::uint32_t tasks(std::uint32_t) const noexcept override { return tasks_; }
  Time task(std::uint32_t, std::uint64_t index) const noexcept override {
    return spread(0, index, leaf_, ratio_);
  }

  std::uint32_t tasks_;
  Time leaf_, ratio_;
};

/// Remark 1, for three workers: P1 has 50 tasks of 1 and one of 100, P2 one of 1 and one of 1000,
/// P3 none. The large task of P1 is the first of the half that a thief takes.
class RemarkOne final : public OwnedTrees {
 public:
  explicit RemarkOne(Parameters &p) : scale_(p.number("scale")) {
    if (p.workers() != 3) throw BadInput("program remark1 is for 3 workers");
  }

 private:
  std::uint32_t owners() const noexcept override { return 2; }
  std::uint32_t tasks(std::uint32_t owner) const noexcept override { return owner == 0 ? 51 : 2; }
  Time task(std::uint32_t owner, std::uint64_t index) const noexcept override {
    if (owner == 0) return scale_ * (index == 26 ? 100 : 1);
    return scale_ * (index == 0 ? 1 : 1000);
  }

  Time scale_;
};

/// Remark 2, for the adversary of adversary.cpp. Tree i (from 1) is split into 2^f parts, with
/// f = floor(lg i); the first task of each part is large, so whoever begins a part is stuck in it,
/// and the owner takes the rest of the part back, half of what is left each time: h - f steal-backs
/// and one that fails, with each of 2^f - 1 agents.
class RemarkTwo final : public OwnedTrees {
 public:
  explicit RemarkTwo(Parameters &p) : owners_(p.workers()) {
    height_ = static_cast<std::uint32_t>(p.number("height"));
    if (height_ == 0) height_ = static_cast<std::uint32_t>(std::bit_width(owners_ - 1)) + 4;
    p.require(height_ <= 30 && height_ > std::bit_width(owners_), "height",
              "above lg P, and at most 30");
    const Costs &costs = p.costs();
    const Time steal = *std::max_element(costs.steal.begin(), costs.steal.end()) + costs.resume +
                       costs.membarrier + costs.spawn + 1;
    const Time failed = *std::max_element(costs.failed.begin(), costs.failed.end());
    // More than all small tasks of a tree take, with all steal-backs; and than a round's setup.
    const Time rest =
        (Time{2} << height_) * (2 + costs.spawn) + owners_ * (height_ + 2) * (steal + failed);
    setup_ = (height_ + 2) * (steal + height_ * (1 + costs.spawn) + 32);
    large_ = rest + setup_ * (owners_ + 1);
    first_round_ = large_ - rest;
  }

 private:
  std::uint32_t owners() const noexcept override { return owners_; }
  std::uint32_t tasks(std::uint32_t) const noexcept override { return 1u << height_; }

  Time task(std::uint32_t owner, std::uint64_t index) const noexcept override {
    const std::uint32_t round = owner + 1, parts = std::bit_floor(round);
    // Stuck in its own first task until its round has begun.
    if (index == 0) return owner == 0 ? first_round_ : owner * (large_ + setup_) + setup_;
    return index % ((1u << height_) / parts) == 0 ? large_ : 1;
  }

  std::uint32_t owners_, height_;
  Time setup_, large_, first_round_;
};

}  // namespace

const std::vector<ProgramRow> &paper_programs() {
  static const std::vector<ProgramRow> rows{
      {"owners", "owners=0,depth=12,leaf=1,m=1",
       "a tree for each of so many owners (0: each worker), tasks of leaf to m*leaf", make<Owners>},
      {"tasks", "depth=16,leaf=1,m=1", "one such tree, which nobody owns for ever", make<Tasks>},
      {"remark1", "scale=1", "Remark 1 of the paper on localized work stealing, for 3 workers",
       make<RemarkOne>},
      {"remark2", "height=0", "Remark 2, for --adversary; 0: lg P + 4", make<RemarkTwo>}};
  return rows;
}

}  // namespace nopal::sim
