// See idle_rules.h.
#include "idle_rules.h"

#include <fmt/format.h>

#include <charconv>

#include "costs.h"

namespace nopal::sim {

void set_rule(IdleRules &rules, std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::string_view number = equals == text.npos ? "" : text.substr(equals + 1);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size() || value == 0)
    throw BadInput(fmt::format("rule '{}': write name=value with a number of 1 or more", text));
#define NOPAL_SET(word, given, constant, unit) \
  if (name == #word) {                         \
    rules.word = value;                        \
    return;                                    \
  }
  NOPAL_IDLE_RULES(NOPAL_SET)
#undef NOPAL_SET
#define NOPAL_WORD(word, given, constant, unit) #word " "
  throw BadInput(
      fmt::format("'{}' is not a rule; the rules are: {}", name, NOPAL_IDLE_RULES(NOPAL_WORD)));
#undef NOPAL_WORD
}

ManyWorkerRules read_many_worker_rules(std::string_view text) {
  ManyWorkerRules rules{false, false, false};
  if (text == "none") return rules;
  if (text == "all") return {};
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    text = comma == text.npos ? "" : text.substr(comma + 1);
    bool *const rule = word == "tree"     ? &rules.tree
                       : word == "fences" ? &rules.fences
                       : word == "late"   ? &rules.late
                                          : nullptr;
    if (rule == nullptr)
      throw BadInput(fmt::format(
          "'{}' is not a word of --mend; the words are: none, all, tree, fences, late", word));
    *rule = true;
  }
  return rules;
}

std::string describe_rules() {
  std::string lines;
#define NOPAL_LINE(name, value, constant, unit) \
  lines += fmt::format("{:22}{:>9} {:18}{}\n", #name, std::uint64_t{value}, unit, constant);
  NOPAL_IDLE_RULES(NOPAL_LINE)
#undef NOPAL_LINE
  return lines;
}

}  // namespace nopal::sim
