//===- InFlight.h - What runs while an exception is in flight --*- C++ -*-===//
//
// Used by outline/ for syncs in cleanups, and by split/ for the regions of its
// suspend points. Tests: tests/pass/outline-sync-in-flight.ll, split-regions-in-flight.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_ANALYSIS_INFLIGHT_H
#define NOPAL_ANALYSIS_INFLIGHT_H

#include "llvm/ADT/SetVector.h"

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace nopal::analysis {

/// The blocks of \p F that run while an exception is in flight: from a landing
/// pad up to where a handler takes it.
using BlocksInFlight = llvm::SmallSetVector<llvm::BasicBlock *, 16>;
BlocksInFlight blocksInFlight(llvm::Function &F);

} // namespace nopal::analysis

#endif
