//===- Syncs.h - The sync markers, as the passes want them -----*- C++ -*-===//
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

/// Cleanup calls of a sync become plain sync markers, with the number of their
/// region. True if there were any.
bool normalizeSyncs(llvm::Module &M);

/// Syncs that an exception in flight passes learn where Clang keeps it, in
/// functions with handlers: elsewhere nothing can be pending when one passes.
void nameExceptionsInFlight(llvm::Function &F);

/// Syncs of different regions in one function stay two: the optimizer does not
/// make one marker of them, with a number that nobody knows.
void keepRegionsApart(llvm::Module &M);

} // namespace nopal::outline

#endif
