//===- ThreadBound.h - Values that are right for one thread ----*- C++ -*-===//
//
// The address of a thread-local, the address of errno, the thread's identity: LLVM takes them for
// constants in a function, merges two computations and moves what is made from one to where it is
// used. After a spawn, a sync or a call of a function that spawns the thread may be another one.
// So, while LLVM optimizes, they are read by a marker that it can neither merge with another nor
// move across a call that might change the thread:
//
//   %p = llvm.threadlocal.address(@x)     %p = call @__nopal_thread_bound(@x)
//
// What such a read yields is a value like any other from then on: if it is live across a suspend
// point, it is kept, and so is what is made from it. Used by the outliner, in the middle of the
// pipeline (Plugin.cpp) and before the split (split/ThreadBoundLowering.h). Tests:
// tests/pass/*thread*.ll, tests/programs/system/thread_identity.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_ANALYSIS_THREADBOUND_H
#define NOPAL_ANALYSIS_THREADBOUND_H

#include "NamedPass.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IRBuilder.h"

namespace nopal::analysis {

/// True for a call whose result holds for the calling thread only, although its
/// callee is said to access no memory.
bool isThreadBound(const llvm::Value &V);

/// True for the marker that stands for such a call.
bool isThreadBoundRead(const llvm::Value &V);

/// The thread-bound value that \p Key names: a thread_local variable, a function
/// that returns it, or a null pointer for the thread pointer. Always a pointer.
llvm::Value *createThreadBound(llvm::IRBuilderBase &B, llvm::Constant *Key);

/// Puts \p New, a pointer, in the place of the thread-bound value or of its
/// marker \p Old, and erases that.
void replaceThreadBound(llvm::CallBase &Old, llvm::Value *New);

/// Puts the marker in the place of each thread-bound value of \p F. True if there was one.
bool markThreadBoundReads(llvm::Function &F);

/// Early, in a module that spawns: in all functions, since any may be inlined.
bool markThreadBoundReads(llvm::Module &M);

/// True for the helper of a spawn, which will be inlined into a fast clone: after
/// whatever its spawner has run before.
bool isSpawned(const llvm::Function &F);

/// What a marker names, see createThreadBound().
llvm::Constant *keyOf(const llvm::CallBase &Read);

/// Where a function's callees have been inlined and it is about to be optimized.
/// A function that stays on its thread gets the values themselves back, which LLVM
/// knows best; all others the markers. What is inlined later comes from a function
/// that was here, so into one that stays on its thread.
class ThreadBoundPass : public RequiredPass<ThreadBoundPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-thread-bound";
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &);
};

} // namespace nopal::analysis

#endif
