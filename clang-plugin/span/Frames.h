//===- Frames.h - Where functions with spawns begin and end ----*- C++ -*-===//
//
// Used by TimeStrands.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPAN_FRAMES_H
#define NOPAL_SPAN_FRAMES_H

#include "llvm/IR/Function.h"

namespace nopal::span {

/// Moves the hooks at the entry and at the ends of \p F to where it first and last spawns, so that
/// a path without spawns has none.
void placeFrameHooks(llvm::Function &F);

} // namespace nopal::span

#endif
