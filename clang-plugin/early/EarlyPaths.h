//===- EarlyPaths.h - The paths on which a function returns at once -*- C++ -*-===//
//
// Used by EarlyExit, which copies them to where the function is called.
// Invariants: README.md in this folder, "Early exits".
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_EARLY_EARLYPATHS_H
#define NOPAL_EARLY_EARLYPATHS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include <optional>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace nopal::early {

/// The blocks of a function that run when it returns at once. An edge from one of them to any other
/// block leaves the early paths.
struct EarlyPaths {
  llvm::SmallSetVector<llvm::BasicBlock *, 8> Blocks; ///< the entry first
};

/// True if \p I does nothing on an early path: a sync, since no child is outstanding there, or a
/// mark for the optimizer. A sync in a function that handles exceptions, or is noexcept, is an
/// invoke.
bool isNothing(const llvm::Instruction &I);

/// The blocks that may follow \p BB on an early path. None after a return, or where an early path
/// cannot go on.
llvm::SmallVector<llvm::BasicBlock *, 2> nextOnPath(llvm::BasicBlock &BB);

/// The early paths of \p F with at most \p Most instructions each (or more, where a longer path
/// joins them). None if it has none, or must not be inlined in part.
std::optional<EarlyPaths> findEarlyPaths(llvm::Function &F, unsigned Most);

} // namespace nopal::early

#endif
