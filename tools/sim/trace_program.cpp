// A program that was recorded: "trace:file=PATH". README.md, "Traces", has the format.
#include <fmt/format.h>

#include <charconv>
#include <fstream>

#include "parameters.h"

namespace nopal::sim {
namespace {

using Kind = Step::Kind;

/// The steps of an instance are neighbours. a: its first step.
class Trace final : public Program {
 public:
  explicit Trace(Parameters &p) : name_(p.text("file")) {
    if (name_.empty()) throw BadInput("program trace: give file=PATH");
    read();
    first_.a = 0;
  }

  Step step(const Node &node, std::uint32_t pc, Node &child) const noexcept override {
    const Recorded &recorded = steps_[node.a + pc];
    child.a = recorded.child;
    return recorded.step;
  }

 private:
  struct Recorded {
    Step step;
    std::uint64_t child = 0;  // its first step, of a spawn or a call
  };
  /// An instance that has not returned yet.
  struct Open {
    std::vector<Recorded> steps;
    std::uint64_t number;
  };

  [[noreturn]] void refuse(std::uint64_t line, const std::string &what) const {
    throw BadInput(fmt::format("{}:{}: {}", name_, line, what));
  }

  void read() {
    std::ifstream file(name_);
    if (!file) throw BadInput(fmt::format("program trace: cannot read '{}'", name_));
    std::string text;
    std::getline(file, text);
    if (text != "kind,ns,site") refuse(1, "the first line must be 'kind,ns,site'");
    std::vector<std::vector<Recorded>> instances(1);  // child: the number of an instance, as yet
    std::vector<Open> open{{{}, 0}};
    std::uint64_t line = 1;
    while (std::getline(file, text)) {
      ++line;
      if (open.empty()) refuse(line, "the root has returned already");
      const Step step = parsed(text, line);
      open.back().steps.push_back({step});
      if (step.kind == Kind::kSpawn || step.kind == Kind::kCall) {
        open.back().steps.back().child = instances.size();
        open.push_back({{}, instances.size()});
        instances.emplace_back();
      } else if (step.kind == Kind::kReturn) {
        instances[open.back().number] = std::move(open.back().steps);
        open.pop_back();
      }
    }
    if (!open.empty())
      refuse(line, fmt::format("the trace ends, and {} instances have not returned", open.size()));
    number_steps(instances);
  }

  void number_steps(const std::vector<std::vector<Recorded>> &instances) {
    std::vector<std::uint64_t> first(instances.size());
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      first[i] = count;
      count += instances[i].size();
    }
    steps_.reserve(count);
    for (const auto &instance : instances)
      for (Recorded recorded : instance) {
        recorded.child = first[recorded.child];
        steps_.push_back(recorded);
      }
  }

  Step parsed(const std::string &text, std::uint64_t line) const {
    const std::size_t comma = text.find(',');
    const std::string kind = text.substr(0, comma);
    Step step{};
    if (kind == "spawn")
      step.kind = Kind::kSpawn;
    else if (kind == "call")
      step.kind = Kind::kCall;
    else if (kind == "sync")
      step.kind = Kind::kSync;
    else if (kind == "return")
      step.kind = Kind::kReturn;
    else
      refuse(line,
             fmt::format("'{}' is not a kind; the kinds are: spawn, call, sync, return", kind));
    const std::string rest = comma == text.npos ? "" : text.substr(comma + 1);
    const std::string ns = rest.substr(0, rest.find(','));
    const auto [end, error] = std::from_chars(ns.data(), ns.data() + ns.size(), step.work);
    if (error != std::errc{} || end != ns.data() + ns.size())
      refuse(line, fmt::format("'{}' is not a number of ns", ns));
    return step;
  }

  std::string name_;
  std::vector<Recorded> steps_;
};

}  // namespace

const std::vector<ProgramRow> &trace_programs() {
  static const std::vector<ProgramRow> rows{
      {"trace", "file=", "a recorded program; its file has a line a strand: kind,ns,site",
       make<Trace>}};
  return rows;
}

}  // namespace nopal::sim
