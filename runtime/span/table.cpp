// The report for people. See report.h; what the columns mean: docs/span.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace nopal::span {

namespace {

constexpr std::size_t kLongestFunction = 32;
// Of the work: if the system took more than one part in so many, it was busy.
constexpr int kBusyPart = 20;

[[gnu::format(printf, 1, 2)]] std::string text(const char *format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(buffer, sizeof(buffer), format, arguments);
  va_end(arguments);
  return {buffer, std::min(sizeof(buffer) - 1, static_cast<std::size_t>(std::max(length, 0)))};
}

std::string duration(double ns, const Tool &tool) {
  if (tool.clock.kind() == ClockKind::kCount) return text("%.0f", ns);
  if (ns >= 1e9) return text("%.3f s", ns * 1e-9);
  if (ns >= 1e6) return text("%.3f ms", ns * 1e-6);
  if (ns >= 1e3) return text("%.3f us", ns * 1e-3);
  return text("%.0f ns", ns);
}

std::string duration(Ticks ticks, const Tool &tool) {
  return duration(tool.clock.to_ns(static_cast<double>(ticks)), tool);
}

std::string ratio(double value) {
  if (std::isinf(value)) return "no limit";
  return value < 1000 ? text("%.2f", value) : text("%.0f", value);
}

std::string ratio(Ticks work, Ticks span) {
  return ratio(parallelism(static_cast<double>(work), static_cast<double>(span)));
}

std::string percent(Ticks part, Ticks all) {
  return all > 0 ? text("%.1f %%", 100.0 * static_cast<double>(part) / static_cast<double>(all))
                 : "-";
}

std::string place(const Site &site) {
  if (site.function.empty()) return "(outside of all spawns)";
  std::string function = site.function;
  if (function.size() > kLongestFunction)
    function.replace(kLongestFunction - 2, function.npos, "..");
  const std::string file = site.file.substr(site.file.rfind('/') + 1);
  return text("%s:%u:%u in ", file.c_str(), site.line, site.column) + function;
}

std::string head(const Report &report, const Tool &tool) {
  const WorkSpan &total = report.total;
  const Calibration &calibration = tool.calibration();
  std::string result =
      text("nopal: parallelism %s; with what a steal costs, %s\n",
           ratio(total.work, total.span).c_str(), ratio(total.work, total.burdened_span).c_str());
  auto line = [&](const char *what, Ticks length, const std::string &parallel,
                  const std::string &remark) {
    result += text("  %-15s %14s  %11s", what, duration(length, tool).c_str(), parallel.c_str()) +
              remark + "\n";
  };
  result += "                            time  parallelism\n";
  line("work", total.work, "", "");
  line("span", total.span, ratio(total.work, total.span), "");
  line("burdened span", total.burdened_span, ratio(total.work, total.burdened_span),
       text("  a steal costs %s, %s", duration(calibration.burden_ns, tool).c_str(),
            calibration.is_burden_measured ? "measured"
            : tool.options.burden_ns >= 0  ? "as CILK_SPAN_BURDEN says"
                                           : "assumed: no steal could be measured"));
  for (const WorkSpan &other : report.others)
    line("another thread", other.work, ratio(other.work, other.span), "  not counted above");
  return result;
}

std::string site_lines(const Report &report) {
  std::size_t width = 4;
  const std::size_t shown = std::min(report.sites.size(), kHeaviest);
  for (std::size_t i = 0; i < shown; ++i)
    width = std::max(width, place(report.sites[i].site).size());
  const int columns = static_cast<int>(width);
  std::string result = text("%*s  parallelism if its own work\n", columns + 56, "") +
                       text("  %-*s %12s %9s %9s %9s   %9s %9s\n", columns, "site", "children",
                            "work", "own work", "of span", "took half", "parallel");
  for (std::size_t i = 0; i < shown; ++i) {
    const SiteRow &row = report.sites[i];
    auto answer = [](const std::optional<double> &value) { return value ? ratio(*value) : "-"; };
    result += text("  %-*s %12llu %9s %9s %9s   %9s %9s\n", columns, place(row.site).c_str(),
                   static_cast<unsigned long long>(row.count),
                   percent(row.work, report.total.work).c_str(),
                   percent(row.own, report.total.work).c_str(),
                   row.if_faster ? percent(row.on_path, report.total.span).c_str() : "-",
                   answer(row.if_faster).c_str(), answer(row.if_parallel).c_str());
  }
  if (shown < report.sites.size())
    result +=
        text("  and %zu lighter sites; CILK_SPAN=x.json has all\n", report.sites.size() - shown);
  return result;
}

std::string region_lines(const Report &report, const Tool &tool) {
  if (report.regions.empty()) return "";
  std::string result = text("  %-23s %10s %14s %14s %11s %9s\n", "region", "times", "work", "span",
                            "parallelism", "burdened");
  for (const auto &[name, region] : report.regions)
    result += text("  %-23s %10llu %14s %14s %11s %9s\n", name.c_str(),
                   static_cast<unsigned long long>(region.count),
                   duration(region.sum.work, tool).c_str(), duration(region.sum.span, tool).c_str(),
                   ratio(region.sum.work, region.sum.span).c_str(),
                   ratio(region.sum.work, region.sum.burdened_span).c_str());
  return result;
}

}  // namespace

std::string as_table(const Report &report, const Tool &tool) {
  const bool has_spawned = report.sites.size() > 1 || !report.others.empty();
  std::string unseen;
  if (const std::string place = tool.unseen(); !place.empty())
    unseen = "nopal: the spawn at " + place +
             " was compiled without -fnopal-span: it ran in parallel, and is not in the figures; "
             "compile all files with that option\n";
  if (!has_spawned && report.regions.empty())
    return unseen.empty() ? "nopal: this program never spawned: nothing in it may run in parallel\n"
                          : unseen;
  std::string result =
      unseen + head(report, tool) + site_lines(report) + region_lines(report, tool);
  if (tool.clock.kind() != ClockKind::kCount)
    result += text("  clock: %s; a read costs %.1f ns; %.1f ns are taken off each strand%s\n",
                   tool.clock.name(), tool.calibration().read_ns,
                   tool.clock.to_ns(static_cast<double>(tool.costs().hook)),
                   report.sharing > 0
                       ? text(", %.1f ns if it shares a read",
                              tool.clock.to_ns(static_cast<double>(tool.costs().quick_hook)))
                             .c_str()
                       : "");
  if (report.sharing > 0)
    result += text(
        "  %s of the work is of strands too short for a read of their own, which share "
        "reads%s\n",
        percent(report.sharing, report.total.work).c_str(),
        2 * report.sharing > report.total.work
            ? "; the span is an upper bound, the parallelism a lower one"
            : "");
  if (tool.lost() > 0)
    result += text("  the system ran something else for %s, which is not counted%s\n",
                   duration(tool.lost(), tool).c_str(),
                   kBusyPart * tool.lost() > report.total.work
                       ? "; shorter interruptions are, so on a machine this busy the span is too "
                         "long: measure again"
                       : "");
  return result;
}

}  // namespace nopal::span
