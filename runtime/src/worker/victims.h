// A worker's victim policy, of the kind that CILK_STEAL names, and what the policies of all workers
// share.
//
// The search asks it for each attempt (idle/find_work.cpp), and marks tell it whose work the worker
// runs (Worker::run_path_of). What a policy is, and what it must keep: policy/README.md. Checked by
// tests/unit/victims_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_VICTIMS_H
#define NOPAL_WORKER_VICTIMS_H

#include "../platform/atoms.h"
#include "../policy/list.h"
#include "random.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

namespace nopal {

/// What policies are compiled against in the runtime.
class VictimEnvironment {
 public:
  using Random = nopal::Random;
  template <class T>
  using Word = HardwareWord<T>;

  /// `count` of workers, written by the registry.
  VictimEnvironment(const std::atomic<std::uint32_t> &count, policy::Topology topology)
      : count_(count), topology_(std::move(topology)) {}

  std::uint32_t workers() const noexcept { return count_.load(std::memory_order_acquire); }
  std::uint32_t most_workers() const noexcept { return topology_.workers(); }
  const policy::Topology &topology() const noexcept { return topology_; }

 private:
  const std::atomic<std::uint32_t> &count_;
  const policy::Topology topology_;
};

class Victims {
 public:
#define NOPAL_ALTERNATIVE(word, type, text) , policy::type<VictimEnvironment>
  /// The first is that of workers beyond most_workers(); the others are the rows of the table.
  using Policy =
      std::variant<policy::RandomPolicy<VictimEnvironment> NOPAL_POLICIES(NOPAL_ALTERNATIVE)>;
#undef NOPAL_ALTERNATIVE

  /// Worker `self`'s. `count`: as for VictimEnvironment; the same for each worker. Ends the process
  /// if there is no memory for what they share.
  Victims(std::uint32_t self, const std::atomic<std::uint32_t> &count);

  /// What `act` answers to the policy, which has a type of its own: one decision for all that
  /// follows. Owner only.
  template <class Act>
  decltype(auto) ask(Act act) noexcept {
    return std::visit([&act](auto &policy) -> decltype(auto) { return act(policy); }, policy_);
  }

  /// Whether the policy asks for marks. Cost: a load.
  bool has_owners() const noexcept { return has_owners_; }
  const VictimEnvironment &environment() const noexcept { return environment_; }
  const policy::Topology &topology() const noexcept { return environment_.topology(); }

 private:
  const VictimEnvironment &environment_;
  Policy policy_;
  bool has_owners_;
};

}  // namespace nopal

#endif
