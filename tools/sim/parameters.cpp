// See parameters.h and, for make_program, program.h.
#include "parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace nopal::sim {
namespace {

std::vector<ProgramRow> all_programs() {
  std::vector<ProgramRow> rows = plain_programs();
  for (const auto *more : {&uts_programs(), &paper_programs(), &trace_programs()})
    rows.insert(rows.end(), more->begin(), more->end());
  return rows;
}

/// What each program has besides its own, so that regions come one after the other.
constexpr const char kCommon[] = "times=1,before=0";

/// `program` so many times, each time after a strand of `before`: one instance above it.
class Repeated final : public Program {
 public:
  Repeated(std::unique_ptr<Program> program, std::uint32_t times, Time before)
      : program_(std::move(program)),
        root_(program_->roots().front().node),
        times_(times),
        before_(before) {
    first_.c = kAbove;
  }

  Step step(const Node &node, std::uint32_t pc, Node &child) const noexcept override {
    if (node.c != kAbove) return program_->step(node, pc, child);
    if (pc == times_) return {Step::Kind::kReturn, 0};
    child = root_;
    return {Step::Kind::kCall, before_};
  }
  std::uint32_t frame_bytes(const Node &node) const noexcept override {
    return node.c == kAbove ? Program::frame_bytes(node) : program_->frame_bytes(node);
  }

 private:
  static constexpr std::uint32_t kAbove = ~0u - 1;  // no program's c

  std::unique_ptr<Program> program_;
  Node root_;
  std::uint32_t times_;
  Time before_;
};

template <class T>
T parsed(const std::string &text, const std::string &word, const std::string &name) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw BadInput(fmt::format("program {}: '{}' is '{}', which is not a {}", word, name, text,
                               std::is_integral_v<T> ? "number of 0 or more" : "number"));
  return value;
}

}  // namespace

Parameters::Parameters(std::string_view word, std::string_view defaults, std::string_view given,
                       std::uint32_t workers, const Costs &costs)
    : word_(word), values_(read(defaults)), workers_(workers), costs_(costs) {
  values_.merge(read(kCommon));
  for (const auto &[name, value] : read(given)) {
    if (!values_.contains(name))
      throw BadInput(fmt::format("program {} has no parameter '{}'; its parameters are: {},{}",
                                 word, name, defaults, kCommon));
    values_[name] = value;
  }
}

std::map<std::string, std::string> Parameters::read(std::string_view list) const {
  std::map<std::string, std::string> values;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view item = list.substr(0, comma);
    list = comma == list.npos ? "" : list.substr(comma + 1);
    const std::size_t equals = item.find('=');
    if (equals == item.npos)
      throw BadInput(fmt::format("program {}: '{}' is not a name=value", word_, item));
    values[std::string(item.substr(0, equals))] = item.substr(equals + 1);
  }
  return values;
}

std::uint64_t Parameters::number(const std::string &name) const {
  return parsed<std::uint64_t>(values_.at(name), word_, name);
}

double Parameters::real(const std::string &name) const {
  return parsed<double>(values_.at(name), word_, name);
}

const std::string &Parameters::word(const std::string &name,
                                    std::initializer_list<const char *> valid) const {
  const std::string &value = values_.at(name);
  if (std::find(valid.begin(), valid.end(), value) == valid.end())
    throw BadInput(fmt::format("program {}: '{}' is '{}'; it must be one of: {}", word_, name,
                               value, fmt::join(valid, ", ")));
  return value;
}

void Parameters::require(bool holds, const std::string &name, std::string_view what) const {
  if (!holds)
    throw BadInput(fmt::format("program {}: '{}' is '{}'; it must be {}", word_, name,
                               values_.at(name), what));
}

std::unique_ptr<Program> make_program(std::string_view description, std::uint32_t workers,
                                      const Costs &costs) {
  const std::size_t colon = description.find(':');
  const std::string_view word = description.substr(0, colon);
  const std::string_view given = colon == description.npos ? "" : description.substr(colon + 1);
  std::string words;
  for (const ProgramRow &row : all_programs()) {
    words += fmt::format("{}{}", words.empty() ? "" : ", ", row.word);
    if (word != row.word) continue;
    Parameters parameters(word, row.defaults, given, workers, costs);
    std::unique_ptr<Program> program = row.make(parameters);
    const std::uint64_t times = parameters.number("times"), before = parameters.number("before");
    if (times == 1 && before == 0) return program;
    parameters.require(times >= 1 && times <= 1'000'000, "times", "from 1 to 1000000");
    parameters.require(program->roots().size() == 1 && !program->has_owners(), "times",
                       "1, and 'before' 0: several owners have work from the start");
    return std::make_unique<Repeated>(std::move(program), static_cast<std::uint32_t>(times),
                                      before);
  }
  throw BadInput(fmt::format("'{}' is not a program; the programs are: {}", word, words));
}

std::string describe_programs() {
  std::string lines;
  for (const ProgramRow &row : all_programs())
    lines += fmt::format("{:12}{}\n{:12}{}\n", row.word, row.text, "", row.defaults);
  lines += fmt::format("each        again and again, after serial work\n{:12}{}\n", "", kCommon);
  return lines;
}

}  // namespace nopal::sim
