//===- SiteName.h - The name of a function in the record of a site -*- C++ -*-===//
#ifndef NOPAL_CONTRACT_SITENAME_H
#define NOPAL_CONTRACT_SITENAME_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Demangle/Demangle.h"
#include <string>

namespace nopal {

/// As the linker knows it: the reports demangle it. Demangled here if it may name a template's
/// parameters, as those with constraints do (Tk, Tn): the C++ library of GCC 12 does not know them.
inline std::string nameInSite(llvm::StringRef Name) {
  if (!Name.starts_with("_Z"))
    return Name.str();
  for (const char *Parameter : {"Tk", "Tn", "Tp", "Tt", "Ty"})
    if (Name.contains(Parameter))
      return llvm::demangle(Name);
  return Name.str();
}

} // namespace nopal

#endif
