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

/// Late, before the split: computes addresses that are made from a thread-bound
/// value where they are used, so that only the value itself crosses.
void sinkThreadBoundAddresses(llvm::Function &F);

/// True for a call that may come back on another thread although it is no spawn
/// and no sync: of a function that was made of a part of its caller and spawns.
bool mayMigrate(const llvm::Instruction &I);

/// Late, before the split, in any function: behind each call that may migrate a
/// thread-bound value is computed again. Returns false if there is no such call.
bool recomputeBehindMigrations(llvm::Function &F);

/// Late, in one clone: replaces each such call outside of \p Except (a block that
/// runs before all spawns; may be null) by a call that stays where it is.
void makeThreadBoundCallsOpaque(llvm::Function &Clone, llvm::BasicBlock *Except,
                                Runtime &RT);

} // namespace nopal

#endif
