//===- Nested.h - Nested sync regions --------------------------*- C++ -*-===//
//
// A sync waits for the children of its own region, but a frame has only one count. So a region that
// may begin while children of an outer region run becomes a function, which is called in its place.
// Its children are then those of its own frame. All other regions stay in place and cost nothing.
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

/// Replaces the cleanups at the ends of regions by plain end markers, and removes those that an
/// exception runs. True if there were any.
bool normalizeRegionEnds(llvm::Module &M);

/// Finds an outermost region of \p F that must be a function of its own, and can be one. All
/// spawned statements of F are already outlined.
bool findRegionToExtract(llvm::Function &F, Region &Result);

/// Region \p Number has become the body of \p Helper: gives it number 0.
void makeFunctionRegion(llvm::Function &Helper, const llvm::Value *Number);

/// Removes the syncs of \p F, which has nothing to wait for.
void eraseSyncs(llvm::Function &F);

/// Removes the markers of the regions that stay in \p F.
void dissolveRegions(llvm::Function &F);

} // namespace nopal::outline

#endif
