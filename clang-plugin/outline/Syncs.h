//===- Syncs.h - The sync markers, as the passes want them -----*- C++ -*-===//
//
// Run by the outliner before the statements are outlined. Tests:
// tests/pass/outline-sync-cleanup.ll, tests/programs/exceptions/regions.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_SYNCS_H
#define NOPAL_OUTLINE_SYNCS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace nopal {

/// Cleanup calls of a sync become plain sync markers, with the number of their
/// region.
void normalizeSyncs(llvm::Module &M);

/// Syncs that an exception in flight passes learn where Clang keeps it, in
/// functions with handlers: elsewhere nothing can be pending when one passes.
void nameExceptionsInFlight(llvm::Function &F);

} // namespace nopal

#endif
