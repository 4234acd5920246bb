// The policies of runtime/src/policy in virtual time, by one interface that the simulator
// calls.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "policy/policy.h"
#include "timing_wheel.h"

namespace nopal::sim {

class Machine;

/// A policy object a worker, and what they share.
class PolicySet {
 public:
  virtual ~PolicySet() = default;
  virtual policy::Choice next(policy::WorkerId worker) noexcept = 0;
  virtual policy::WorkerId victim_at(policy::WorkerId worker, std::uint32_t k) noexcept = 0;
  virtual void learn(policy::WorkerId worker, const policy::Attempt &attempt) noexcept = 0;
  virtual policy::Mark stolen(policy::WorkerId worker, const policy::Attempt &attempt,
                              policy::Mark mark) noexcept = 0;
  virtual void path_begins(policy::WorkerId worker, policy::Mark mark) noexcept = 0;
  virtual void path_ends(policy::WorkerId worker, policy::Mark mark) noexcept = 0;
  /// How many lines the worker's calls have fetched since this was last asked.
  virtual std::uint64_t take_transfers(policy::WorkerId worker) noexcept = 0;
  /// How long a worker waits whose choice named nobody; kNever: until a root is done.
  virtual Time wait(policy::WorkerId) noexcept { return 1; }
  /// Called once before the run. Only adversaries look at the machine.
  virtual void watch(const Machine &) {}
};

struct PolicyOptions {
  std::string name = "random";
  double general = -1;  // localized and its kin: the part of general steals in spite of helpers
  bool is_adversary = false;  // general steals are those of Remark 2
};

/// Throws BadInput with the list of words.
std::unique_ptr<PolicySet> make_policies(const PolicyOptions &options,
                                         const policy::Topology &topology, std::uint64_t seed);

/// Whether each general steal may lead to one steal-back at most.
bool is_mugging(std::string_view name) noexcept;
std::string describe_policies();

}  // namespace nopal::sim
