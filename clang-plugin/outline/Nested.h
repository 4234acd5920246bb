//===- Nested.h - Sync regions inside of a function ------------*- C++ -*-===//
//
// A sync waits for the children of its own region. A frame has one count, so a region that may
// begin while children of an outer one are in flight becomes a function of its own, which is called
// where it stood: its children are those of its frame. All others stay in place and cost nothing.
// Runs after the spawned statements of a function are outlined. Why so: docs/decisions/0005. Tests:
// tests/pass/outline-region-*.ll, tests/programs/exceptions/inner_sync.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_NESTED_H
#define NOPAL_OUTLINE_NESTED_H

#include "Region.h"

namespace llvm {
class Module;
}

namespace nopal::outline {

/// The cleanups that mark the ends of regions become plain end markers; those
/// that an exception runs go. True if there were any.
bool normalizeRegionEnds(llvm::Module &M);

/// Finds an outermost region of \p F that has to be a function of its own, and
/// can be one. All spawned statements of F are outlined.
bool findRegionToExtract(llvm::Function &F, Region &Result);

/// Region \p Number is now the body of \p Helper, with number 0.
void makeFunctionRegion(llvm::Function &Helper, const llvm::Value *Number);

/// Takes the syncs of \p F away, which has nothing to wait for.
void eraseSyncs(llvm::Function &F);

/// Takes the markers of the regions away that stay in \p F.
void dissolveRegions(llvm::Function &F);

} // namespace nopal::outline

#endif
