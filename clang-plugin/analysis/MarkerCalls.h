//===- MarkerCalls.h - Calls of markers in IR ------------------*- C++ -*-===//
//
// Used by all passes.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_ANALYSIS_MARKERCALLS_H
#define NOPAL_ANALYSIS_MARKERCALLS_H

#include "llvm/IR/InstrTypes.h"

namespace nopal {

/// The operands of the child in a spawn marker, behind helper, file, line, column
/// and region.
inline constexpr unsigned FirstOperand = 5;
/// The operands of the leaf in a loop marker, behind leaf, file, line, column,
/// count and grain.
inline constexpr unsigned FirstLoopOperand = 6;

/// Erases a marker call; an invoke becomes a branch to its normal successor.
void eraseMarker(llvm::CallBase &CB);

/// True if \p I is a call of the function named \p Name.
bool isMarker(const llvm::Instruction &I, llvm::StringRef Name);

/// True for a call that may unwind into its function.
bool mayUnwind(const llvm::Instruction &I);

} // namespace nopal

#endif
