// See options.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.h"

#include "../src/platform/tool_variables.h"
#include "../src/platform/whole_file.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <unistd.h>

namespace nopal::race {

namespace {

bool parse_exit(std::string_view text, Options &options) {
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), options.exit_status);
  return error == std::errc() && end == text.data() + text.size() && options.exit_status >= 0 &&
         options.exit_status <= 255;
}

bool parse_atomics(std::string_view text, Options &options) {
  options.reports_atomics = text == "1";
  return text == "0" || text == "1";
}

bool parse_out(std::string_view text, Options &options) {
  options.out = text;
  for (const std::string_view end : {".json", ".sarif"})
    if (text.ends_with(end)) {
      const std::string_view name = text.substr(0, text.size() - end.size());
      return !name.empty() && !name.ends_with('/');
    }
  return false;
}

/// As a line's number is printed: what else is there matches no place.
bool is_line(std::string_view text) {
  return !text.empty() && text.front() != '0' &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// FILE or FILE:LINE. FILE:LINE:COLUMN, as reports have it, is neither.
bool is_place(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return !text.empty();
  const std::string_view file = text.substr(0, colon);
  const std::size_t line = file.rfind(':');
  return !file.empty() && is_line(text.substr(colon + 1)) &&
         (line == std::string_view::npos || !is_line(file.substr(line + 1)));
}

bool parse_ignore(std::string_view text, Options &options) {
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    if (!is_place(one)) return false;
    options.ignored.emplace_back(one);
    text.remove_prefix(std::min(text.size(), one.size() + 1));
  }
  return true;
}

constexpr ToolVariable<Options> kVariables[] = {
    {"CILK_RACE_EXIT", "a whole number from 0 to 255", "66",
     "The exit status of a program built with -fsanitize=cilk that has a race, or spawns that were "
     "compiled without it; 0: its own.",
     parse_exit},
    {"CILK_RACE_OUT", "a path that ends in NAME.json or NAME.sarif", "not set",
     "Where such a program writes its races for machines, besides the text on stderr.", parse_out},
    {"CILK_RACE_IGNORE", "FILE or FILE:LINE with the number of a line, more of them with commas",
     "not set", "Races with an access there are not reported; FILE is the end of a path.",
     parse_ignore},
    {"CILK_RACE_ATOMICS", "0 or 1", "0", "1: two atomic accesses race like any other.",
     parse_atomics},
};

Options read() {
  Options options;
  read_variables(kVariables, "CILK_RACE_", options);
  if (options.out.empty()) return options;
  options.out = absolute_path(options.out);
  if (const int error = make_empty_file(options.out)) {
    std::fprintf(stderr, "nopal: fatal: CILK_RACE_OUT: cannot write '%s': %s; name another file\n",
                 options.out.c_str(), std::strerror(error));
    std::_Exit(2);
  }
  return options;
}

}  // namespace

const Options &options() {
  static const auto *const own = new Options(read());
  return *own;
}

char **whole_environment() { return environ; }

}  // namespace nopal::race
