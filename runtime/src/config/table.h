// The one table of environment variables: parses, refuses and prints itself. Internal to
// runtime/src/config.
//
// Called by config.cpp; tests/unit/config_test.cpp calls it with made-up environments.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_CONFIG_TABLE_H
#define NOPAL_CONFIG_TABLE_H

#include "config.h"

#include <functional>
#include <string>

namespace nopal {

/// The value of a variable, or nullptr.
using Environment = std::function<const char *(const char *name)>;

/// Reads every variable of the table into `config`, which must hold the defaults. Returns "", or
/// for the first malformed one the text of the refusal: `NAME: "text" is not ...`. A variable that
/// is set to nothing counts as not set.
std::string read_environment(const Environment &environment, Config &config);

/// The names in `environ` that begin with CILK_ and that neither the table nor the libraries of
/// span and races know; with commas.
std::string misspelt_variables(const char *const *environ);

/// The defaults that need no environment variable: usable CPUs, the soft stack limit.
Config default_config();

/// The table, a variable a paragraph, with its current setting.
std::string describe_environment(const Environment &environment);

}  // namespace nopal

#endif
