// See policies.h: the environment in virtual time, and a set for each row of policy/list.h.
#include "policies.h"

#include <fmt/format.h>

#include <utility>
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

/// The worker whose policy is being asked, and where its transfers are counted.
struct Caller {
  WorkerId worker = 0;
  std::uint64_t *transfers = nullptr;
};
constinit thread_local Caller caller;

/// One thread runs all workers, so the value is plain. Knows who has a copy, a bit each (workers
/// that are alike modulo the bits share one): a read without a copy, and a write while others have
/// one, fetches the line.
template <class T>
class CountedWord {
 public:
  T load_relaxed() const noexcept {
    const T self = bit();
    if (!(copies_ & self)) {
      ++*caller.transfers;
      copies_ |= self;
    }
    return value_;
  }
  void store_relaxed(T value) noexcept {
    write();
    value_ = value;
  }
  void fetch_or_relaxed(T bits) noexcept {
    write();
    value_ |= bits;
  }
  void fetch_and_relaxed(T bits) noexcept {
    write();
    value_ &= bits;
  }
  T fetch_add_relaxed(T value) noexcept {
    write();
    const T before = value_;
    value_ += value;
    return before;
  }

 private:
  static T bit() noexcept { return T{1} << caller.worker % (8 * sizeof(T)); }
  void write() noexcept {
    const T self = bit();
    if (copies_ == self) return;
    ++*caller.transfers;
    copies_ = self;
  }

  T value_{};
  mutable T copies_ = static_cast<T>(~T{0});  // nobody has written it yet
};

class VirtualEnvironment {
 public:
  using Random = nopal::Random;
  template <class T>
  using Word = CountedWord<T>;

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
      : environment_(topology),
        shared_(make_shared(environment_, general)),
        transfers_(topology.workers(), 0) {
    workers_.reserve(topology.workers());
    for (WorkerId i = 0; i < topology.workers(); ++i)
      workers_.emplace_back(shared_, environment_, i, seed ^ std::uint64_t{i} << 32);
  }

  Choice next(WorkerId worker) noexcept override { return asked(worker).next(); }
  WorkerId victim_at(WorkerId worker, std::uint32_t k) noexcept override {
    return asked(worker).victim_at(k);
  }
  void learn(WorkerId worker, const Attempt &attempt) noexcept override {
    asked(worker).learn(attempt);
  }
  Mark stolen(WorkerId worker, const Attempt &attempt, Mark mark) noexcept override {
    return asked(worker).stolen(attempt, mark);
  }
  void path_begins(WorkerId worker, Mark mark) noexcept override {
    asked(worker).path_begins(mark);
  }
  void path_ends(WorkerId worker, Mark mark) noexcept override { asked(worker).path_ends(mark); }
  std::uint64_t take_transfers(WorkerId worker) noexcept override {
    return std::exchange(transfers_[worker], 0);
  }

 private:
  using Shared = typename P::Shared;
  static Shared make_shared(const VirtualEnvironment &environment, double general) {
    if constexpr (std::is_constructible_v<Shared, const VirtualEnvironment &, double>)
      return general < 0 ? Shared(environment) : Shared(environment, general);
    else
      return Shared(environment);
  }
  P &asked(WorkerId worker) noexcept {
    if constexpr (P::kHasOwners) caller = {worker, &transfers_[worker]};  // else nothing is shared
    return workers_[worker];
  }

  VirtualEnvironment environment_;
  Shared shared_;
  std::vector<P> workers_;
  std::vector<std::uint64_t> transfers_;  // a worker's, not taken yet
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
  throw BadInput(
      fmt::format("'{}' is not a policy; the policies are: {}greedy", options.name, words));
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
