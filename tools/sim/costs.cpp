// See costs.h.
#include "costs.h"

#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <variant>

namespace nopal::sim {
namespace {

using nlohmann::json;

using Member = std::variant<std::uint64_t Costs::*, std::vector<std::uint64_t> Costs::*>;

/// The words of a cost file.
const std::vector<std::pair<const char *, Member>> &members() {
  static const std::vector<std::pair<const char *, Member>> list{
      {"spawn_ns", &Costs::spawn},
      {"steal_ns", &Costs::steal},
      {"failed_ns", &Costs::failed},
      {"membarrier_ns", &Costs::membarrier},
      {"resume_ns", &Costs::resume},
      {"wake_ns", &Costs::wake},
      {"call_ns", &Costs::call},
      {"pause_ns", &Costs::pause},
      {"yield_ns", &Costs::yield},
      {"line_ns", &Costs::line},
      {"hold_ns", &Costs::hold},
      {"slow_push_ns", &Costs::slow_push},
      {"fence_ns", &Costs::fence},
      {"fence_each_ns", &Costs::fence_each},
      {"interrupt_ns", &Costs::interrupt},
      {"noise_slice_ns", &Costs::noise_slice},
      {"noise_processors", &Costs::noise_processors},
      {"noise_ns", &Costs::noise}};
  return list;
}

std::string words() {
  std::string all;
  for (const auto &[word, member] : members())
    all += fmt::format("{}{}", all.empty() ? "" : ", ", word);
  return all;
}

Costs typical() {
  return {.spawn = 1,
          .steal = {2'000, 2'500, 4'000, 6'000},
          .failed = {60, 90, 150, 250},
          .membarrier = 1'200,
          .resume = 200,
          .wake = 40'000,
          .call = 8'000,
          .line = 100,
          .yield = 500,
          .hold = 200,
          .slow_push = 30,
          .fence = 8,
          .fence_each = 100,
          .interrupt = 500};
}

std::uint64_t number_of(const json &value, const std::string &name, const std::string &word) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
    throw BadInput(fmt::format("{}: '{}' is {}; it must be a number of nanoseconds, 0 or more",
                               name, word, value.dump()));
  return value.get<std::uint64_t>();
}

void set(Costs &costs, const std::string &name, const std::string &word, const json &value) {
  for (const auto &[known, member] : members()) {
    if (word != known) continue;
    if (const auto *one = std::get_if<std::uint64_t Costs::*>(&member)) {
      costs.*(*one) = number_of(value, name, word);
      return;
    }
    std::vector<std::uint64_t> list;
    if (value.is_array())
      for (const json &entry : value) list.push_back(number_of(entry, name, word));
    else
      list.push_back(number_of(value, name, word));
    if (list.empty() && member != Member(&Costs::noise))
      throw BadInput(
          fmt::format("{}: '{}' is empty; it needs a number a level, nearest first", name, word));
    costs.*(std::get<1>(member)) = list;
    return;
  }
  throw BadInput(fmt::format("{}: '{}' is not a cost; the costs are: {}", name, word, words()));
}

}  // namespace

Costs read_costs(const std::string &name) {
  if (name == "unit") return {.steal = {1}, .failed = {1}, .membarrier = 1};
  if (name == "unit-words") return {.steal = {1}, .failed = {1}, .membarrier = 1, .line = 1};
  if (name == "default") return typical();
  std::ifstream file(name);
  if (!file)
    throw BadInput(fmt::format(
        "cannot read costs from '{}'; give 'unit', 'unit-words', 'default' or a JSON file "
        "(nopal-sim calibrate writes one)",
        name));
  json table;
  try {
    table = json::parse(file);
  } catch (const json::parse_error &error) {
    const std::string_view what = error.what();  // [json.exception...] and the place
    throw BadInput(fmt::format("{} is not JSON: {}", name, what.substr(what.find("] ") + 2)));
  }
  if (!table.is_object())
    throw BadInput(fmt::format("{}: not a JSON object; the costs are: {}", name, words()));
  Costs costs = typical();
  for (const auto &[word, value] : table.items())
    if (word != "comment") set(costs, name, word, value);
  if (!costs.noise.empty() && costs.noise_slice == 0)
    throw BadInput(fmt::format("{}: 'noise_ns' needs 'noise_slice_ns', at least 1", name));
  if (costs.noise_processors == 0 || costs.noise.size() % costs.noise_processors != 0)
    throw BadInput(fmt::format("{}: 'noise_ns' has {} numbers, which {} processors do not share",
                               name, costs.noise.size(), costs.noise_processors));
  for (const std::uint64_t failed : costs.failed)
    if (failed == 0) throw BadInput(fmt::format("{}: 'failed_ns' must be at least 1", name));
  return costs;
}

std::string to_json(const Costs &costs) {
  std::string lines;  // a cost each: a list may be long
  for (const auto &[word, member] : members()) {
    const json value = std::holds_alternative<std::uint64_t Costs::*>(member)
                           ? json(costs.*(std::get<0>(member)))
                           : json(costs.*(std::get<1>(member)));
    lines += fmt::format("{}  {}: {}", lines.empty() ? "" : ",\n", json(word).dump(), value.dump());
  }
  return "{\n" + lines + "\n}";
}

}  // namespace nopal::sim
