//===- Migration.h - Calls that may come back on another thread -*- C++ -*-===//
//
// A call of a function that spawns may come back on another thread, if it is made
// on a worker's segment. So a thread-bound value (ThreadBound.h) that was computed
// before such a call is wrong behind it, in functions that do not spawn, too:
//
//   %p = llvm.threadlocal.address(@x)     %p = llvm.threadlocal.address(@x)
//   store 1, %p                           store 1, %p
//   call @f()                             call @f()
//                                         %q = call @nopal.thread.x()
//   store 2, %p                           store 2, %q
//
// Invariant: on no path from the computation of a thread-bound value to its use
// lies a call that may migrate, and no such value is computed behind such a call
// but by an accessor, which no later pass can merge with another. Spawns and syncs
// are no such calls here: those are the clones' business (Splitter.h).
//
// Used by Split.cpp. Test: tests/pass/split-thread-bound-call.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_MIGRATION_H
#define NOPAL_SPLIT_MIGRATION_H

#include "Runtime.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"

namespace nopal {

/// Which calls of one module may come back on another thread: those of functions
/// that spawn or that make such a call, and all of whose callee nothing is known.
class Migration {
public:
  /// Looks at all functions; to be made before the first of them is split.
  Migration(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

  bool mayMigrate(const llvm::CallBase &Call) const;

  /// Whether \p F has spawns of its own, and will be split.
  bool isSpawner(const llvm::Function &F) const { return Spawners.contains(&F); }

private:
  bool mayMigrate(const llvm::Function &Callee) const;

  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallPtrSet<const llvm::Function *, 16> Migrating, Spawners;
};

/// Establishes the invariant in \p F, marked or not. Linear in the function for
/// each thread-bound value that it computes.
void recomputeBehindCalls(llvm::Function &F, const Migration &Calls, Runtime &RT);

} // namespace nopal

#endif
