//===- EarlyPaths.h - The paths on which a function returns at once -*- C++ -*-===//
//
// Used by EarlyExit, which copies them to where the function is called.
// Invariants: README.md in this folder, "Early exits".
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_EARLYPATHS_H
#define NOPAL_SPLIT_EARLYPATHS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/BasicBlock.h"
#include <optional>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace nopal::split {

/// The blocks of a function that run when it returns at once. Edges from their tests to other
/// blocks are where the early paths give up.
struct EarlyPaths {
  llvm::SmallSetVector<llvm::BasicBlock *, 8> Blocks; ///< the entry first
};

/// True if \p I stands for nothing on an early path: it marks what is not there.
bool isNothing(const llvm::Instruction &I);

/// The early paths of \p F with at most \p Most instructions each (or more, where a longer way
/// joins them); none if it has none, or is none to be inlined in parts.
std::optional<EarlyPaths> findEarlyPaths(llvm::Function &F, unsigned Most);

} // namespace nopal::split

#endif
