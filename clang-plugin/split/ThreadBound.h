//===- ThreadBound.h - Values that are right for one thread ----*- C++ -*-===//
//
// The address of a thread-local, the address of errno, the thread's identity:
// LLVM takes them for constants, but behind a spawn or a sync the thread may be
// another one. So they are computed again in each clone, never kept in a frame,
// and never merged across a point where the thread may change. Tests:
// tests/pass/split-thread-local.ll, tests/programs/system/thread_identity.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_THREADBOUND_H
#define NOPAL_SPLIT_THREADBOUND_H

#include "Runtime.h"

namespace nopal {

/// True for a call whose result holds for the calling thread only, although its
/// callee is said to access no memory.
bool isThreadBound(const llvm::Value &V);

/// Early, in a module with spawns: a function that hands such a value out must
/// not be inferred to be a constant, or two calls of it are merged.
void keepThreadBoundResultsApart(llvm::Module &M);

/// All uses of \p V and of what is made from it by address arithmetic, that
/// arithmetic itself excepted.
llvm::SmallVector<llvm::Use *, 16> usesOfAddress(llvm::Value &V);

/// Copies the address arithmetic that makes \p V of a thread-bound value before
/// \p Where; \p Root says what stands for the thread-bound value itself there.
llvm::Value *computeAgain(
    llvm::Value *V, llvm::BasicBlock::iterator Where,
    llvm::function_ref<llvm::Value *(llvm::CallBase &, llvm::BasicBlock::iterator)> Root);

/// Replaces a thread-bound value by a call that stays where it is.
void replaceByAccessor(llvm::CallBase &V, Runtime &RT);

/// Late, before the split: computes addresses that are made from a thread-bound
/// value where they are used, so that only the value itself crosses.
void sinkThreadBoundAddresses(llvm::Function &F);

/// Late, in one clone: replaces each such call outside of \p Except (a block that
/// runs before all spawns; may be null) by a call that stays where it is.
void makeThreadBoundCallsOpaque(llvm::Function &Clone, llvm::BasicBlock *Except,
                                Runtime &RT);

} // namespace nopal

#endif
