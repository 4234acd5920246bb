// nopal-sim: work stealing in virtual time, with up to 65,536 workers. README.md; `nopal-sim
// --help`.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>

#include "calibrate.h"
#include "experiment.h"

namespace {

using namespace nopal::sim;

const std::map<std::string, Fault> kFaults{{"none", Fault::kNone},
                                           {"lose-child", Fault::kLoseChild},
                                           {"forget-work", Fault::kForgetWork},
                                           {"fast-clock", Fault::kFastClock},
                                           {"keep-frames", Fault::kKeepFrames},
                                           {"slow-greedy", Fault::kSlowGreedy},
                                           {"lose-time", Fault::kLoseTime},
                                           {"stay-on-stack", Fault::kStayOnStack},
                                           {"forget-back", Fault::kForgetBack}};

const CLI::Validator kPositive(
    [](const std::string &text) {
      double value = 0;
      return CLI::detail::lexical_cast(text, value) && value > 0
                 ? std::string()
                 : fmt::format("'{}' is not a number above 0", text);
    },
    "above 0");

struct RunOptions {
  std::vector<std::string> programs{"tree"}, policies{"random"};
  std::vector<std::uint32_t> workers{64};
  std::string topology = "flat", costs = "unit", idle = "spin", adapt = "off", format = "table",
              output;
  std::vector<std::string> rules;
  std::string many_worker_rules = "all";
  std::uint64_t seed = 1, seeds = 1;
  double general = -1;
  bool is_adversary = false, is_quiet = false;
  nopal::policy::ASteal::Parameters feedback;
  Fault fault = Fault::kNone;
};

/// "[#####     ] 12/30 tree random P=64, 3.1 M events" on a terminal.
class ProgressBar {
 public:
  ProgressBar(std::size_t runs, bool is_quiet) : runs_(runs), is_on_(!is_quiet && isatty(2)) {}

  void begin(const Experiment &e) {
    what_ = fmt::format("{} {} P={}", e.program, e.policy.name, e.workers);
    show(0);
  }
  void show(std::uint64_t events) const {
    if (!is_on_) return;
    constexpr std::size_t kWidth = 24;
    const std::size_t full = done_ * kWidth / runs_;
    fmt::print(stderr, "\r\033[K[{:#<{}}{:<{}}] {}/{} {}, {:.1f} M events", "", full, "",
               kWidth - full, done_, runs_, what_, static_cast<double>(events) * 1e-6);
  }
  void end_run() { ++done_; }
  ~ProgressBar() {
    if (is_on_) fmt::print(stderr, "\r\033[K");
  }

 private:
  std::size_t runs_, done_ = 0;
  bool is_on_;
  std::string what_;
};

std::vector<Experiment> experiments(const RunOptions &o) {
  std::vector<Experiment> list;
  for (const std::string &program : o.programs)
    for (const std::uint32_t workers : o.workers)
      for (const std::string &policy : o.policies)
        for (std::uint64_t i = 0; i < o.seeds; ++i) {
          Experiment e;
          e.program = program;
          e.policy = {.name = policy, .general = o.general, .is_adversary = o.is_adversary};
          e.workers = workers;
          e.topology = o.topology;
          e.costs = o.costs;
          e.seed = o.seed + i;
          e.sleeps = o.idle == "sleep";
          for (const std::string &rule : o.rules) set_rule(e.rules, rule);
          e.has_rules = !o.rules.empty();
          e.rules.many_workers = read_many_worker_rules(o.many_worker_rules);
          if (o.adapt == "a-steal") e.feedback = o.feedback;
          if (o.adapt == "runtime") e.feedback = runtime_feedback();
          e.asks_for_all_first = o.adapt == "runtime";
          e.fault = o.fault;
          list.push_back(e);
        }
  return list;
}

void write(const std::string &text, const std::string &path) {
  if (path.empty()) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw BadInput(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
    return;
  }
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw BadInput(fmt::format("cannot write '{}'", path));
}

int run(const RunOptions &o) {
  std::vector<Record> records;
  std::map<std::pair<std::string, std::uint32_t>, Result> first;
  int status = 0;
  const auto list = experiments(o);
  {
    ProgressBar bar(list.size(), o.is_quiet);
    for (Experiment e : list) {
      bar.begin(e);
      e.progress = [&](std::uint64_t events) { bar.show(events); };
      records.push_back(perform(e));
      bar.end_run();
      Result &result = records.back().result;
      const auto [alike, is_first] = first.try_emplace({e.program, e.workers}, result);
      for (const std::string &law : check(e, result, is_first ? nullptr : &alike->second)) {
        fmt::print(stderr, "nopal-sim: {}, {}, P = {}, seed {}: {}\n", e.program, e.policy.name,
                   e.workers, e.seed, law);
        status = 1;
      }
      result.spent_by.clear();
    }
  }
  write(report(records, o.format), o.output);
  return status;
}

/// Events a second on this machine. The only command that reads a clock.
int bench(double seconds) {
  write(fmt::format("{:44} {:>8} {:>12} {:>10}\n", "program, policy", "workers", "events",
                    "M events/s"),
        "");
  const auto measure = [&](const char *program, const char *policy, std::uint32_t workers) {
    Experiment e;
    e.program = program;
    e.policy.name = policy;
    e.workers = workers;
    e.costs = "default";
    std::uint64_t events = 0;
    double spent = 0;
    for (e.seed = 1; spent < seconds; ++e.seed) {
      const std::clock_t begun = std::clock();  // of this process: others may be running
      events += perform(e).result.events;
      spent += static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    }
    write(fmt::format("{:44} {:>8} {:>12} {:>10.2f}\n", fmt::format("{}, {}", program, policy),
                      workers, events, static_cast<double>(events) * 1e-6 / spent),
          "");
  };
  for (const std::uint32_t workers : {2u, 64u, 1'024u, 16'384u, 65'536u}) {
    measure("tree:depth=22,leaf=100", "random", workers);
    measure("fib:n=30,leaf=50", "random", workers);
    measure("uts:kind=geometric,depth=10", "nearest", workers);
  }
  measure("owners:depth=12,leaf=100,m=16", "localized", 1'024);
  measure("owners:depth=12,leaf=100,m=16", "hashing", 1'024);
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  CLI::App app(
      "Work stealing in virtual time: the policies of Nopal's runtime with 2 to 65,536 workers.");
  app.require_subcommand(1);
  RunOptions o;
  std::vector<const CLI::Option *> parameters_of_feedback;
  CLI::App *const run_command =
      app.add_subcommand("run", "simulate, check each run's laws, print what happened");
  run_command
      ->add_option("-p,--program", o.programs,
                   "WORD[:NAME=VALUE,...], see `nopal-sim list`; several give a run each")
      ->delimiter(';');
  run_command->add_option("-s,--policy", o.policies, "see `nopal-sim list`")->delimiter(',');
  run_command->add_option("-P,--workers", o.workers, "2 to 65536")->delimiter(',');
  run_command->add_option("--seeds", o.seeds, "runs of each, with seeds that count up")
      ->check(kPositive);
  run_command->add_option("--seed", o.seed, "the first seed");
  run_command->add_option("--topology", o.topology,
                          "flat, or parts from the largest to cores: 4x2x16");
  run_command->add_option("--costs", o.costs, "unit, unit-words, default, or a JSON file");
  run_command
      ->add_option("--idle", o.idle, "spin: idle workers try all the time; sleep: as the runtime's")
      ->check(CLI::IsMember({"spin", "sleep"}));
  run_command
      ->add_option("--rule", o.rules,
                   "--idle sleep: NAME=VALUE, a constant of the runtime, see `nopal-sim list`")
      ->delimiter(',');
  run_command->add_option("--mend", o.many_worker_rules,
                          "--idle sleep: all, none, or some of tree, fences, late");
  run_command
      ->add_option("--adapt", o.adapt,
                   "parallelism feedback: a-steal, or runtime, which is that with the values of "
                   "CILK_ADAPT=1")
      ->check(CLI::IsMember({"off", "a-steal", "runtime"}));
  for (CLI::Option *const option :
       {run_command
            ->add_option("--delta", o.feedback.delta,
                         "a-steal: an efficient quantum is used to this part")
            ->check(CLI::Range(0.01, 1.0)),
        run_command->add_option("--rho", o.feedback.rho, "a-steal: the factor of growth")
            ->check(CLI::Range(1.01, 16.0)),
        run_command->add_option("--quantum", o.feedback.quantum_ns, "a-steal: ns")
            ->check(kPositive)})
    parameters_of_feedback.push_back(option);
  run_command
      ->add_option("--general", o.general,
                   "localized, hashing, mugging: the part of general steals in spite of helpers")
      ->check(CLI::Range(0.0, 1.0));
  run_command->add_flag("--adversary", o.is_adversary,
                        "remark2: general steals are the adversary's");
  run_command->add_option("-f,--format", o.format, "table, csv, json or svg")
      ->check(CLI::IsMember({"table", "csv", "json", "svg"}));
  run_command->add_option("-o,--output", o.output, "a file instead of standard output");
  run_command->add_flag("-q,--quiet", o.is_quiet, "no progress bar");
  run_command->add_option("--fault", o.fault, "an error to put in, for the tests")
      ->transform(CLI::CheckedTransformer(kFaults))
      ->group("");
  double seconds = 2;
  CLI::App *const bench_command =
      app.add_subcommand("bench", "measure events a second on this machine");
  bench_command->add_option("--seconds", seconds, "for each row")->check(kPositive);
  CLI::App *const list_command = app.add_subcommand("list", "print programs, policies and costs");
  std::string costs = "default";
  CLI::App *const costs_command = app.add_subcommand("costs", "print a table of costs as JSON");
  costs_command->add_option("name", costs, "unit, unit-words, default, or a JSON file");
  CLI::App *const calibrate_command = app.add_subcommand(
      "calibrate", "measure costs on this machine and print them as JSON, for --costs");
  int busy = std::numeric_limits<int>::max();
  calibrate_command
      ->add_option("-P,--workers", busy,
                   "of the runs to simulate: so many processors work while their noise is "
                   "recorded (default: all)")
      ->check(kPositive);
  try {
    if (argc > 1 && argv[1][0] != '-' &&
        app.get_subcommands([&](const CLI::App *one) { return one->get_name() == argv[1]; })
            .empty())
      throw BadInput(fmt::format(
          "'{}' is not a command; the commands are: run, bench, list, costs, calibrate", argv[1]));
    app.parse(argc, argv);
    for (const CLI::Option *const option : parameters_of_feedback)
      if (*option && o.adapt != "a-steal")
        throw BadInput(fmt::format("{} is for --adapt a-steal", option->get_name()));
    if (*run_command) return run(o);
    if (*bench_command) return bench(seconds);
    if (*list_command)
      write(fmt::format("programs\n{}\npolicies\n{}\nrules\n{}", describe_programs(),
                        describe_policies(), describe_rules()),
            "");
    if (*calibrate_command) write(to_json(calibrate(busy)) + "\n", "");
    if (*costs_command) write(to_json(read_costs(costs)) + "\n", "");
    return 0;
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0) {  // --help
      app.exit(error);
      if (std::cout.flush()) return 0;
      fmt::print(stderr, "nopal-sim: cannot write to standard output\n");
      return 2;
    }
    fmt::print(stderr, "nopal-sim: {}; see nopal-sim --help\n", error.what());
    return 2;
  } catch (const BadInput &error) {
    fmt::print(stderr, "nopal-sim: {}\n", error.what());
    return 2;
  }
}
