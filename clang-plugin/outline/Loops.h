//===- Loops.h - The code that replaces a cilk_for -------------*- C++ -*-===//
//
// The parts of the outliner for loops alone. The leaf is built like any helper (Helper.cpp). The
// split makes the function that divides the range (split/LoopTree.h). Invariants: README.md in this
// folder, "A loop". Tests: tests/pass/loop-*.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_LOOPS_H
#define NOPAL_OUTLINE_LOOPS_H

#include "Region.h"

namespace nopal::outline {

/// Replaces the calls in \p In that ask for the bounds of \p R.
void replaceLoopBounds(llvm::Function &In, const Region &R, llvm::Value *Low, llvm::Value *High);

/// For a loop that never reaches its end: runs its iterations in place.
void runLoopInPlace(LoopBeginMarker &Begin);

} // namespace nopal::outline

#endif
