//===- InlineHelper.h - A helper back in its function ----------*- C++ -*-===//
//
// What was outlined comes back: the child of a spawn into the fast clone (Split),
// the leaf of a loop that is not divided into its function (WholeLoops). Tests:
// tests/pass/split-debug*.ll, loop-whole.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_INLINEHELPER_H
#define NOPAL_SPLIT_INLINEHELPER_H

#include "llvm/IR/InstrTypes.h"

namespace nopal {

/// Inlines the helper or leaf that \p Call calls. Its lines are lines of the
/// function it was taken from, so they get that function's scopes again, and what
/// it declared for itself becomes a variable of that function.
void inlineHelper(llvm::CallBase &Call);

} // namespace nopal

#endif
