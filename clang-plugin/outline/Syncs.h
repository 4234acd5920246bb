//===- Syncs.h - Normalizing sync markers ----------------------*- C++ -*-===//
//
// Used by the outliner. Tests: tests/pass/outline-sync-*.ll, tests/programs/exceptions/regions.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_SYNCS_H
#define NOPAL_OUTLINE_SYNCS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace nopal::outline {

/// Replaces cleanup calls of a sync by plain sync markers with the number of their region. True if
/// there were any.
bool normalizeSyncs(llvm::Module &M);

/// Gives syncs that an exception in flight passes the address where Clang keeps it. Only in
/// functions with handlers, since in others no exception can be pending then.
void nameExceptionsInFlight(llvm::Function &F);

/// Keeps the optimizer from merging syncs of different regions of a function into one marker with
/// an unknown number.
void keepRegionsApart(llvm::Module &M);

} // namespace nopal::outline

#endif
