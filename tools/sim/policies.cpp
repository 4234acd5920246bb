// See policies.h: the environment in virtual time, and a set for each row of policy/list.h.
#include "policies.h"

#include <fmt/format.h>

#include <vector>

#include "adversary.h"
#include "costs.h"
#include "policy/list.h"
#include "worker/random.h"

namespace nopal::sim {
namespace {

using policy::Attempt;
using policy::Choice;
using policy::Mark;
using policy::Topology;
using policy::WorkerId;

template <class T>
class PlainWord {
 public:
  T load_relaxed() const noexcept { return value_; }
  void store_relaxed(T value) noexcept { value_ = value; }
  void fetch_or_relaxed(T bits) noexcept { value_ |= bits; }
  void fetch_and_relaxed(T bits) noexcept { value_ &= bits; }
  T fetch_add_relaxed(T value) noexcept {
    const T before = value_;
    value_ += value;
    return before;
  }

 private:
  T value_{};
};

/// One thread runs all workers, so words are plain.
class VirtualEnvironment {
 public:
  using Random = nopal::Random;
  template <class T>
  using Word = PlainWord<T>;

  explicit VirtualEnvironment(const Topology &topology) : topology_(topology) {}
  std::uint32_t workers() const noexcept { return topology_.workers(); }
  std::uint32_t most_workers() const noexcept { return topology_.workers(); }
  const Topology &topology() const noexcept { return topology_; }

 private:
  Topology topology_;
};

template <class P>
class PolicySetOf final : public PolicySet {
  static_assert(policy::Policy<P>);

 public:
  PolicySetOf(const Topology &topology, std::uint64_t seed, double general)
      : environment_(topology), shared_(make_shared(environment_, general)) {
    workers_.reserve(topology.workers());
    for (WorkerId i = 0; i < topology.workers(); ++i)
      workers_.emplace_back(shared_, environment_, i, seed ^ std::uint64_t{i} << 32);
  }

  Choice next(WorkerId worker) noexcept override { return workers_[worker].next(); }
  WorkerId victim_at(WorkerId worker, std::uint32_t k) noexcept override {
    return workers_[worker].victim_at(k);
  }
  void learn(WorkerId worker, const Attempt &attempt) noexcept override {
    workers_[worker].learn(attempt);
  }
  Mark stolen(WorkerId worker, const Attempt &attempt, Mark mark) noexcept override {
    return workers_[worker].stolen(attempt, mark);
  }
  void path_begins(WorkerId worker, Mark mark) noexcept override {
    workers_[worker].path_begins(mark);
  }
  void path_ends(WorkerId worker, Mark mark) noexcept override { workers_[worker].path_ends(mark); }

 private:
  using Shared = typename P::Shared;
  static Shared make_shared(const VirtualEnvironment &environment, double general) {
    if constexpr (std::is_constructible_v<Shared, const VirtualEnvironment &, double>)
      return general < 0 ? Shared(environment) : Shared(environment, general);
    else
      return Shared(environment);
  }

  VirtualEnvironment environment_;
  Shared shared_;
  std::vector<P> workers_;
};

std::unique_ptr<PolicySet> make_plain(const PolicyOptions &options, const Topology &topology,
                                      std::uint64_t seed) {
#define NOPAL_MAKE(word, type, text)                                                       \
  if (options.name == #word)                                                               \
    return std::make_unique<PolicySetOf<policy::type<VirtualEnvironment>>>(topology, seed, \
                                                                           options.general);
  NOPAL_POLICIES(NOPAL_MAKE)
#undef NOPAL_MAKE
#define NOPAL_WORD(word, type, text) #word " "
  std::string words = NOPAL_POLICIES(NOPAL_WORD);
#undef NOPAL_WORD
  throw BadInput(fmt::format("'{}' is no policy; the policies are: {}greedy", options.name, words));
}

}  // namespace

std::unique_ptr<PolicySet> make_policies(const PolicyOptions &options, const Topology &topology,
                                         std::uint64_t seed) {
  PolicyOptions plain = options;
  if (options.name == "greedy") plain.name = "random";  // the simulator hands out work itself
  if (options.is_adversary) plain.general = 0;
  auto set = make_plain(plain, topology, seed);
  return options.is_adversary ? make_adversary(std::move(set)) : std::move(set);
}

bool is_mugging(std::string_view name) noexcept { return name == "mugging"; }

std::string describe_policies() {
  std::string lines;
#define NOPAL_LINE(word, type, text) lines += fmt::format("{:12}{}\n", #word, text);
  NOPAL_POLICIES(NOPAL_LINE)
#undef NOPAL_LINE
  return lines + fmt::format("{:12}{}\n", "greedy",
                             "no policy but the theory's yardstick: work is handed out at no cost");
}

}  // namespace nopal::sim
