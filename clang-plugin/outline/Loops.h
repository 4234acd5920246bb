//===- Loops.h - What stands for a cilk_for in its function ----*- C++ -*-===//
//
// The parts of the outliner that concern loops alone. The leaf is built as any helper (Helper.cpp);
// the function that divides the range is made by the split (split/LoopTree.h). Invariants:
// README.md in this folder, "A loop". Tests: tests/pass/loop-*.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_LOOPS_H
#define NOPAL_OUTLINE_LOOPS_H

#include "Region.h"

namespace nopal::outline {

/// Replaces the calls in \p In that ask for the bounds of \p R.
void replaceLoopBounds(llvm::Function &In, const Region &R, llvm::Value *Low, llvm::Value *High);

/// For a loop that never comes to its end: its iterations run where it stands.
void runLoopInPlace(LoopBeginMarker &Begin);

} // namespace nopal::outline

#endif
