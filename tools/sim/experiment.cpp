// See experiment.h.
#include "experiment.h"

#include <fmt/format.h>

#include "topologies.h"

namespace nopal::sim {

Record perform(const Experiment &e) {
  if (e.workers < 2 || e.workers > 65'536)
    throw BadInput(fmt::format("{} workers: give 2 to 65536", e.workers));
  if (e.sleeps && e.feedback)
    throw BadInput("--idle sleep and --adapt exclude each other: both decide who sleeps");
  if (!e.sleeps && (e.has_rules || !e.rules.many_workers.all()))
    throw BadInput("--rule and --mend change what --idle sleep does; give that, too");
  if (e.policy.is_adversary && !e.program.starts_with("remark2"))
    throw BadInput("--adversary is for the program remark2");
  const policy::Topology topology = read_topology(e.topology, e.workers);
  Options options;
  options.costs = read_costs(e.costs);
  options.seed = e.seed;
  options.is_greedy = e.policy.name == "greedy";
  options.sleeps = e.sleeps;
  options.rules = e.rules;
  options.feedback = e.feedback;
  options.asks_for_all_first = e.asks_for_all_first;
  options.fault = e.fault;
  options.progress = e.progress;
  const auto program = make_program(e.program, e.workers, options.costs);
  const auto policies = make_policies(e.policy, topology, e.seed);
  Machine machine(*program, *policies, topology, options);
  return {e.program, e.policy.name, e.topology, e.costs, e.seed, machine.run()};
}

std::vector<std::string> check(const Experiment &e, const Result &result, const Result *alike) {
  Expected expected{.is_greedy = e.policy.name == "greedy",
                    .is_mugging = is_mugging(e.policy.name)};
  if (alike != nullptr) {
    expected.t1 = alike->t1;
    expected.span = alike->span;
  }
  return broken_laws(result, expected);
}

}  // namespace nopal::sim
