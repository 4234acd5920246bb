// Environment variables with a name like ours that nothing reads: typing errors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_UNKNOWN_VARIABLES_H
#define NOPAL_PLATFORM_UNKNOWN_VARIABLES_H

#include <string>
#include <string_view>

namespace nopal {

/// The names in `environment`, which ends with a null pointer, that begin with `prefix` and of
/// which `is_known` is false; with commas.
template <class IsKnown>
std::string unknown_variables(const char *const *environment, std::string_view prefix,
                              IsKnown is_known) {
  std::string names;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment, name = entry.substr(0, entry.find('='));
    if (name.substr(0, prefix.size()) != prefix || is_known(name)) continue;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

}  // namespace nopal

#endif
