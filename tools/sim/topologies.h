// How a topology is written on the command line.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <vector>

#include "costs.h"
#include "policy/topology.h"

namespace nopal::sim {

/// "flat", or "4x2x16": 4 packages of 2 nodes of 16 cores. Throws BadInput.
inline policy::Topology read_topology(const std::string &text, std::uint32_t workers) {
  if (text == "flat") return policy::Topology::flat(workers);
  std::vector<std::uint32_t> parts;
  const char *at = text.data(), *const end = at + text.size();
  while (at != end) {
    std::uint32_t part = 0;
    const auto [after, error] = std::from_chars(at, end, part);
    if (error != std::errc{} || part == 0 || (after != end && (*after != 'x' || after + 1 == end)))
      throw BadInput(
          fmt::format("'{}' is not a topology; write 'flat', or the parts of the machine "
                      "from the largest to cores, as in '4x2x16'",
                      text));
    parts.push_back(part);
    at = after == end ? end : after + 1;
  }
  return policy::Topology::of_parts(parts, workers);
}

}  // namespace nopal::sim
