// See report.h: one list of columns for all formats.
#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace nopal::sim {
namespace {

using Json = nlohmann::ordered_json;

Json spent(const Result &r, Activity activity) {
  return r.spent[static_cast<std::size_t>(activity)];
}

/// Name, value, and whether the table shows it.
struct Column {
  const char *name;
  Json (*value)(const Record &);
  bool is_in_table;
};

#define NOPAL_FIELD(name, expression, is_in_table)          \
  Column {                                                  \
    name,                                                   \
        [](const Record &record) -> Json {                  \
          [[maybe_unused]] const Result &r = record.result; \
          return expression;                                \
        },                                                  \
        is_in_table                                         \
  }

const std::vector<Column> &columns() {
  static const std::vector<Column> list{
      NOPAL_FIELD("program", record.program, true),
      NOPAL_FIELD("policy", record.policy, true),
      NOPAL_FIELD("topology", record.topology, false),
      NOPAL_FIELD("costs", record.costs, false),
      NOPAL_FIELD("workers", r.workers, true),
      NOPAL_FIELD("seed", record.seed, true),
      NOPAL_FIELD("time_ns", r.time, true),
      NOPAL_FIELD("t1_ns", r.t1, true),
      NOPAL_FIELD("span_ns", r.span, true),
      NOPAL_FIELD("lost_ns", r.lost, false),
      NOPAL_FIELD("events", r.events, false),
      NOPAL_FIELD("spawns", r.spawns, false),
      NOPAL_FIELD("frames", r.frames, false),
      NOPAL_FIELD("general_attempts", r.general_attempts, false),
      NOPAL_FIELD("general_steals", r.general_steals, true),
      NOPAL_FIELD("back_attempts", r.back_attempts, false),
      NOPAL_FIELD("steal_backs", r.backs, true),
      NOPAL_FIELD("handed_on", r.handed_on, false),
      NOPAL_FIELD("attempts", r.attempts(), true),
      NOPAL_FIELD("lost_races", r.lost_races, false),
      NOPAL_FIELD("without_work", r.without_work(), false),
      NOPAL_FIELD("full_deques", r.full(), false),
      NOPAL_FIELD("frames_stolen", r.frames_stolen, false),
      NOPAL_FIELD("self_steals", r.self_steals, false),
      NOPAL_FIELD("joins", r.joins, false),
      NOPAL_FIELD("helps", r.helps, false),
      NOPAL_FIELD("stacks_left", r.stacks_left, false),
      NOPAL_FIELD("wake_ups", r.wake_ups, false),
      NOPAL_FIELD("calls", r.calls, false),
      NOPAL_FIELD("heavy_fences", r.heavy_fences, false),
      NOPAL_FIELD("steals_at_level", r.steals_at_level, false),
      NOPAL_FIELD("s1_bytes", r.s1, false),
      NOPAL_FIELD("peak_stack_bytes", r.peak_stack, true),
      NOPAL_FIELD("peak_frames", r.peak_frames, false),
      NOPAL_FIELD("work_ns", spent(r, Activity::kWork), false),
      NOPAL_FIELD("steal_ns", spent(r, Activity::kSteal), false),
      NOPAL_FIELD("fail_ns", spent(r, Activity::kFail), false),
      NOPAL_FIELD("wait_ns", spent(r, Activity::kWait), false),
      NOPAL_FIELD("asleep_ns", spent(r, Activity::kAsleep), false),
      NOPAL_FIELD("look_ns", spent(r, Activity::kLook), false),
      NOPAL_FIELD("overhead_ns", spent(r, Activity::kOverhead), false),
      NOPAL_FIELD("line_wait_ns", r.line_wait, false),
      NOPAL_FIELD("policy_lines", r.policy_lines, false),
      NOPAL_FIELD("search_ns_a_steal", r.search_a_steal(), false),
      NOPAL_FIELD("pile_up", r.pile_up(), true),
      NOPAL_FIELD("pile_up_most", r.pile_up_most, false),
      NOPAL_FIELD("active_ns", r.active, false),
      NOPAL_FIELD("quanta", r.quanta, false),
      NOPAL_FIELD("desire_sum", r.desire_sum, false)};
  return list;
}
#undef NOPAL_FIELD

std::string text_of(const Json &value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.3f}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string text;  // of numbers
  for (const Json &entry : value)
    text += fmt::format("{}{}", text.empty() ? "" : " ", entry.dump());
  return text;
}

std::string quoted(const std::string &text) {
  return text.find(',') == text.npos ? text : '"' + text + '"';
}

std::string csv(const std::vector<Record> &records) {
  std::string text;
  for (const Column &column : columns())
    text += fmt::format("{}{}", text.empty() ? "" : ",", column.name);
  for (const Record &record : records) {
    text += '\n';
    for (std::size_t i = 0; i < columns().size(); ++i)
      text += fmt::format("{}{}", i ? "," : "", quoted(text_of(columns()[i].value(record))));
  }
  return text + '\n';
}

std::string table(const std::vector<Record> &records) {
  std::vector<std::vector<std::string>> rows(records.size() + 1);
  for (const Column &column : columns()) {
    if (!column.is_in_table) continue;
    rows[0].push_back(column.name);
    for (std::size_t i = 0; i < records.size(); ++i)
      rows[i + 1].push_back(text_of(column.value(records[i])));
  }
  std::string text;
  for (const auto &row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::size_t width = 0;
      for (const auto &other : rows) width = std::max(width, other[i].size());
      text +=
          i < 2 ? fmt::format("{:<{}}  ", row[i], width) : fmt::format("{:>{}}  ", row[i], width);
    }
    text.resize(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string report(const std::vector<Record> &records, const std::string &format) {
  if (format == "csv") return csv(records);
  if (format == "table") return table(records);
  if (format == "svg") return svg(records);
  Json list = Json::array();
  for (const Record &record : records) {
    Json object;
    for (const Column &column : columns()) object[column.name] = column.value(record);
    list.push_back(object);
  }
  return list.dump(1) + '\n';
}

}  // namespace nopal::sim
