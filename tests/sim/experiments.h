// Experiments of the tests: workers that sleep, and runs that keep the laws.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TESTS_SIM_EXPERIMENTS_H
#define NOPAL_TESTS_SIM_EXPERIMENTS_H

#include "experiment.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace nopal::sim {

/// Costs in ns, and workers that search and sleep as the runtime's.
inline Experiment sleepers(const std::string &program, std::uint32_t workers,
                           const char *rules = "all") {
  Experiment e;
  e.program = program;
  e.workers = workers;
  e.costs = "default";
  e.sleeps = true;
  e.rules.many_workers = read_many_worker_rules(rules);
  return e;
}

inline Result run(const Experiment &e) {
  Result result = perform(e).result;
  EXPECT_TRUE(check(e, result, nullptr).empty()) << e.program;
  return result;
}

}  // namespace nopal::sim

#endif
