// What the user chooses, from the environment. The rows of options.cpp are the one table.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_OPTIONS_H
#define NOPAL_RACE_OPTIONS_H

#include <string>
#include <vector>

namespace nopal::race {

struct Options {
  int exit_status = 66;
  bool reports_atomics = false;
  std::string out;                   // of the report as JSON or SARIF
  std::vector<std::string> ignored;  // FILE:LINE or FILE
};

/// Read at the first call. Ends the process if a variable is malformed.
const Options &options();
/// For a program that is started.
char **whole_environment();

}  // namespace nopal::race

#endif
