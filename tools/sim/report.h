// Results as a table, CSV, JSON or a plot.
#pragma once

#include <string>
#include <vector>

#include "result.h"

namespace nopal::sim {

struct Record {
  std::string program, policy, topology, costs;
  std::uint64_t seed = 0;
  Result result;
};

/// `format`: "table", "csv", "json" or "svg", which draws T_P over T1/P. No machine, date or
/// duration enters, so the same runs give the same bytes.
std::string report(const std::vector<Record> &records, const std::string &format);

/// Medians of T_P / (T1/P) over P, a line for each program and policy.
std::string svg(const std::vector<Record> &records);

}  // namespace nopal::sim
