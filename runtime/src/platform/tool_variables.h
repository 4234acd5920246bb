// The environment variables of a library for builds of their own: the span tool, the race detector.
//
// Each is one row of that library's table, which help and refusals are made from, as the runtime's
// own are (src/config/table.cpp). Checked by tests/span and tests/race.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_TOOL_VARIABLES_H
#define NOPAL_PLATFORM_TOOL_VARIABLES_H

#include "unknown_variables.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace nopal {

template <class Options>
struct ToolVariable {
  const char *name;
  const char *range;  // completes "NAME: "text" is not ..."
  const char *fallback;
  const char *sentence;
  bool (*parse)(std::string_view text, Options &options);  // false: refused
};

/// Reads the variables of `table`. CILK_HELP=1 prints them. A malformed one ends the process with
/// status 2; others whose names begin with `prefix` get a warning.
template <class Options, std::size_t rows>
void read_variables(const ToolVariable<Options> (&table)[rows], std::string_view prefix,
                    Options &options) {
  const char *help = secure_getenv("CILK_HELP");
  const bool is_help = help != nullptr && std::string_view(help) == "1";
  for (const ToolVariable<Options> &variable : table) {
    const char *text = secure_getenv(variable.name);
    const bool is_set = text != nullptr && *text != '\0';
    if (is_help)
      std::fprintf(stderr, "  %s%s%s\n      %s\n      %s; default: %s\n", variable.name,
                   is_set ? "=" : " (not set)", is_set ? text : "", variable.sentence,
                   variable.range, variable.fallback);
    if (!is_set || variable.parse(text, options)) continue;
    std::fprintf(stderr, "nopal: fatal: %s: \"%s\" is not %s\n", variable.name, text,
                 variable.range);
    std::_Exit(2);
  }
  const auto is_known = [&](std::string_view name) {
    return std::any_of(
        std::begin(table), std::end(table),
        [&](const ToolVariable<Options> &variable) { return name == variable.name; });
  };
  if (const std::string names = unknown_variables(environ, prefix, is_known); !names.empty())
    std::fprintf(stderr, "nopal: warning: unknown environment variables: %s\n", names.c_str());
}

}  // namespace nopal

#endif
