// The name of a function as its source has it, for the reports.
//
// Checked by tests/unit/stats_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_DEMANGLED_H
#define NOPAL_PLATFORM_DEMANGLED_H

#include <cxxabi.h>
#include <cstdlib>
#include <string>

namespace nopal {

/// What the linker calls `name`; any other name is returned as it is. Throws std::bad_alloc.
inline std::string demangled(const char *name) {
  // "i" and the like are mangled types, and functions of C.
  if (name[0] != '_' || name[1] != 'Z') return name;
  char *const readable = abi::__cxa_demangle(name, nullptr, nullptr, nullptr);
  std::string result = readable != nullptr ? readable : name;
  std::free(readable);
  return result;
}

}  // namespace nopal

#endif
