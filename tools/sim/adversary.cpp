// See adversary.h. Round i (from 1) is about the tree of owner i; programs.cpp has the sizes of its
// tasks. With f = floor(lg i), 2^f - 1 free agents split it evenly: agent a steals from member
// a - 2^floor(lg a), whose oldest continuation then is half of what that member has. Member 0 is
// the owner. Each agent is stuck in the first task of its part until the owner has taken the rest.
#include "adversary.h"

#include <bit>
#include <vector>

#include "machine.h"

namespace nopal::sim {
namespace {

using policy::Attempt;
using policy::Choice;
using policy::Mark;
using policy::WorkerId;

class RemarkTwoAdversary final : public PolicySet {
 public:
  explicit RemarkTwoAdversary(std::unique_ptr<PolicySet> inner) : inner_(std::move(inner)) {}

  void watch(const Machine &machine) override { machine_ = &machine; }

  Choice next(WorkerId worker) noexcept override {
    const Choice choice = inner_->next(worker);
    if (choice.is_steal_back()) return choice;
    if (!is_due(worker)) return {};
    const std::uint32_t agent = worker + 1, step = std::bit_width(agent) - 1;
    const std::uint32_t member = agent - (1u << step);
    const WorkerId victim = member == 0 ? round() - 1 : member - 1;
    const Node *const oldest = machine_->oldest(victim);
    if (oldest == nullptr || oldest->a != round() - 1 || oldest->c != step) return {};
    return {.victim = victim};
  }

  /// Who has a part to play now asks again soon; the others wait for the next round.
  Time wait(WorkerId worker) noexcept override { return is_due(worker) ? 16 : kNever; }

  WorkerId victim_at(WorkerId worker, std::uint32_t k) noexcept override {
    return inner_->victim_at(worker, k);
  }
  void learn(WorkerId worker, const Attempt &attempt) noexcept override {
    inner_->learn(worker, attempt);
  }
  Mark stolen(WorkerId worker, const Attempt &attempt, Mark mark) noexcept override {
    if (!attempt.choice.is_steal_back()) {
      if (last_round_.size() <= worker) last_round_.resize(worker + 1, 0);
      last_round_[worker] = round();
    }
    return inner_->stolen(worker, attempt, mark);
  }
  void path_begins(WorkerId worker, Mark mark) noexcept override {
    inner_->path_begins(worker, mark);
  }
  void path_ends(WorkerId worker, Mark mark) noexcept override { inner_->path_ends(worker, mark); }
  std::uint64_t take_transfers(WorkerId worker) noexcept override {
    return inner_->take_transfers(worker);
  }

 private:
  std::uint32_t round() const noexcept { return machine_->roots_done() + 1; }
  bool is_due(WorkerId worker) const noexcept {
    const std::uint32_t members = std::bit_floor(round());
    const std::uint32_t last = worker < last_round_.size() ? last_round_[worker] : 0;
    return worker + 1 < members && last != round();
  }

  std::unique_ptr<PolicySet> inner_;
  const Machine *machine_ = nullptr;
  std::vector<std::uint32_t> last_round_;  // a worker: in which it stole
};

}  // namespace

std::unique_ptr<PolicySet> make_adversary(std::unique_ptr<PolicySet> inner) {
  return std::make_unique<RemarkTwoAdversary>(std::move(inner));
}

}  // namespace nopal::sim
