//===- Checks.h - The first lines of a check, inline -----------*- C++ -*-=//
//
// Used by Instrument.cpp, last.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_RACE_CHECKS_H
#define NOPAL_RACE_CHECKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace nopal::race {

/// Calls the detector for an access of 4 or 8 bytes in \p F only if that is not recorded already.
void inlineChecks(llvm::Function &F);

} // namespace nopal::race

#endif
