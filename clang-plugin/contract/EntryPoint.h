//===- EntryPoint.h - Names of the runtime's entry points -------*- C++ -*-===//
//
// Used by Abi.h. Test: tests/pass/entry-point-misspelt.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_ENTRYPOINT_H
#define NOPAL_CONTRACT_ENTRYPOINT_H

#include "nopal_abi.h"

#include <string_view>

namespace nopal {

/// A name of NOPAL_ENTRY_POINTS in runtime/abi/nopal_abi.h. Any other name does not compile.
class EntryPoint {
public:
  consteval EntryPoint(const char *Name) : Name(Name) {
    if (!isListed(Name))
      thisIsNoEntryPointOfTheRuntime();
  }

  constexpr std::string_view name() const { return Name; }
  constexpr bool operator==(const EntryPoint &) const = default;

private:
  static consteval bool isListed(std::string_view Name) {
#define NOPAL_ENTRY(ENTRY)                                                                         \
  if (Name == #ENTRY)                                                                              \
    return true;
    NOPAL_ENTRY_POINTS(NOPAL_ENTRY)
#undef NOPAL_ENTRY
    return false;
  }
  static void thisIsNoEntryPointOfTheRuntime(); // not constant, so it does not compile

  std::string_view Name;
};

} // namespace nopal

#endif
