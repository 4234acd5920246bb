// One run from words: what `run`, `bench` and the tests have in common.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "machine.h"
#include "report.h"

namespace nopal::sim {

struct Experiment {
  std::string program = "tree";
  PolicyOptions policy;
  std::uint32_t workers = 64;
  std::string topology = "flat", costs = "unit";
  std::uint64_t seed = 1;
  bool sleeps = false;
  IdleRules rules;
  bool has_rules = false;  // some differ
  std::optional<policy::ASteal::Parameters> feedback;
  bool asks_for_all_first = false;
  Fault fault = Fault::kNone;
  std::function<void(std::uint64_t)> progress;
};

/// Throws BadInput.
Record perform(const Experiment &experiment);

/// The laws that the record breaks. `alike`: a run of the same program whose work and span must be
/// the same, or null.
std::vector<std::string> check(const Experiment &experiment, const Result &result,
                               const Result *alike);

}  // namespace nopal::sim
