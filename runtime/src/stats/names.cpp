// Names of functions, short enough for a table. Specified in print.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "print.h"

#include <cstdio>

namespace nopal::stats {

namespace {

constexpr std::size_t kLongest = 60;

/// `name` with what stands between the outermost `open` and `close` replaced by "...".
std::string without_inside(std::string_view name, char open, char close) {
  std::string result;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_operator = i >= 8 && name.substr(i - 8, 8) == "operator";
    if (name[i] == close && !is_operator && depth > 0 && --depth == 0 && name[i - 1] != open)
      result += "...";
    if (depth == 0) result += name[i];
    const bool is_arrow = close == '>' && i > 0 && name[i - 1] == '-';
    if (name[i] == open && !is_operator && !is_arrow) ++depth;
  }
  return depth == 0 ? result : std::string(name);
}

}  // namespace

std::string short_name(std::string_view name) {
  std::string result(name);
  if (result.size() > kLongest) result = without_inside(result, '<', '>');
  if (result.size() > kLongest) result = without_inside(result, '(', ')');
  if (result.size() > kLongest) result = "..." + result.substr(result.size() - (kLongest - 3));
  return result;
}

std::string location(const cilk::site_row &site) {
  if (site.line == 0) return site.file + "#" + std::to_string(site.index);
  return site.file + ":" + std::to_string(site.line) + ":" + std::to_string(site.column);
}

std::string milliseconds(std::uint64_t ns) {
  const std::uint64_t us = (ns + 500) / 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%llu.%03llu", static_cast<unsigned long long>(us / 1000),
                static_cast<unsigned long long>(us % 1000));
  return text;
}

}  // namespace nopal::stats
