// The report for machines. See report.h; the fields: docs/span.md. Times are nanoseconds, or ticks
// of the counter.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../src/platform/json_string.h"
#include "report.h"

#include <cmath>
#include <cstdio>

namespace nopal::span {

namespace {

/// null for infinity, which JSON does not have.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.15g", value);
  return buffer;
}

std::string ns(Ticks ticks, const Tool &tool) {
  return number(std::round(tool.clock.to_ns(static_cast<double>(ticks))));
}

std::string figures(const WorkSpan &of, const Tool &tool) {
  const auto work = static_cast<double>(of.work);
  return "\"work_ns\": " + ns(of.work, tool) + ", \"span_ns\": " + ns(of.span, tool) +
         ", \"burdened_span_ns\": " + ns(of.burdened_span, tool) +
         ", \"parallelism\": " + number(parallelism(work, static_cast<double>(of.span))) +
         ", \"burdened_parallelism\": " +
         number(parallelism(work, static_cast<double>(of.burdened_span)));
}

const char *kind_of(const Site &site) {
  if (site.function.empty()) return "program";
  return site.kind == NOPAL_HOOK_LOOP ? "loop" : "spawn";
}

std::string site_object(const SiteRow &row, const Tool &tool) {
  auto answer = [](const std::optional<double> &value) {
    return value ? number(*value) : std::string("null");
  };
  return "{\"kind\": " + json_string(kind_of(row.site)) +
         ", \"file\": " + json_string(row.site.file) +
         ", \"line\": " + std::to_string(row.site.line) +
         ", \"column\": " + std::to_string(row.site.column) +
         ", \"function\": " + json_string(row.site.function) +
         ", \"count\": " + std::to_string(row.count) + ", \"work_ns\": " + ns(row.work, tool) +
         ", \"own_ns\": " + ns(row.own, tool) + ", \"on_span_ns\": " + ns(row.on_path, tool) +
         ", \"has_what_if\": " + (row.if_faster ? "true" : "false") +
         ", \"parallelism_if_twice_as_fast\": " + answer(row.if_faster) +
         ", \"parallelism_if_parallel\": " + answer(row.if_parallel) + "}";
}

}  // namespace

std::string as_json(const Report &report, const Tool &tool) {
  const Calibration &calibration = tool.calibration();
  std::string result =
      "{\"version\": 1,\n \"unseen_spawn\": " + json_string(tool.unseen()) +
      ",\n \"clock\": " + json_string(tool.clock.name()) +
      ", \"read_ns\": " + number(calibration.read_ns) +
      ", \"hook_ns\": " + ns(tool.costs().hook, tool) +
      ", \"quick_hook_ns\": " + ns(tool.costs().quick_hook, tool) +
      ", \"shared_ns\": " + ns(report.sharing, tool) +
      ", \"burden_ns\": " + number(calibration.burden_ns) +
      ", \"interrupted_ns\": " + ns(tool.lost(), tool) +
      ", \"burden_measured\": " + (calibration.is_burden_measured ? "true" : "false") +
      ",\n \"program\": {" + figures(report.total, tool) + "},\n \"threads\": [";
  const char *between = "";
  for (const WorkSpan &other : report.others) {
    result += between + ("{" + figures(other, tool)) + "}";
    between = ", ";
  }
  result += "],\n \"sites\": [";
  between = "\n  ";
  for (const SiteRow &row : report.sites) {
    result += between + site_object(row, tool);
    between = ",\n  ";
  }
  result += "],\n \"regions\": [";
  between = "\n  ";
  for (const auto &[name, region] : report.regions) {
    result += between + ("{\"name\": " + json_string(name)) +
              ", \"count\": " + std::to_string(region.count) + ", " + figures(region.sum, tool) +
              "}";
    between = ",\n  ";
  }
  return result + "]}\n";
}

}  // namespace nopal::span
