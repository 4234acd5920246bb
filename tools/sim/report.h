// Results as a table, CSV or JSON.
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

/// `format`: "table", "csv" or "json". No machine, date or duration enters, so the same runs give
/// the same bytes.
std::string report(const std::vector<Record> &records, const std::string &format);

}  // namespace nopal::sim
