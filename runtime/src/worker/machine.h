// The machine as the victim policies and CILK_BIND see it: equal parts within equal parts, and the
// processors in that order. From hwloc, which is loaded when it is asked for.
//
// Asked for by victims.cpp and by a helper thread that binds itself. Checked by
// tests/unit/machine_test.cpp with machines that do not exist. What is bound, and what not:
// README.md, "Placement".
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_MACHINE_H
#define NOPAL_WORKER_MACHINE_H

#include "../policy/topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nopal {

struct Machine {
  /// Of the machine down to one processor: {4, 2, 16} is 4 packages of 2 nodes of 16. Empty: flat.
  std::vector<std::uint32_t> parts;
  /// Between the NUMA nodes, row by row, in the firmware's unit. Empty: not known, or all alike.
  std::vector<std::uint64_t> distances;
  /// The system's numbers of the processors, neighbours beside each other; empty: not known, or
  /// those of a machine that is not this one.
  std::vector<int> processors;
  /// One line for CILK_STATS: what it is, or why it is flat.
  std::string description;
  bool is_asked_for = false;
};

/// Reads the topology. `synthetic`: a description in hwloc's language of a machine that need not
/// exist, or "". `file`: its XML of one, or ""; used without a `synthetic`. Ends the process with
/// status 2 if hwloc refuses these. Cost: some milliseconds.
Machine read_machine(const std::string &synthetic, const std::string &file = "");

/// The process's, read at the first call if `is_needed`, and flat if not. Under lifecycle().
const Machine &machine(bool is_needed);

/// Where workers are, as CILK_BIND says. `workers`: how many may have a policy.
policy::Topology topology_of(const Machine &machine, std::uint32_t workers);

/// The calling helper thread runs worker `index`: binds it to that worker's processor, if CILK_BIND
/// asks for it and the machine is known. Cost: nothing, or a system call.
void bind_helper(std::uint32_t index) noexcept;

}  // namespace nopal

#endif
