//===- Migration.h - Calls that may come back on another thread -*- C++ -*-===//
//
// A call of a function that spawns may come back on another thread, if it is made
// on a worker's segment. So a thread-bound value (ThreadBound.h) that is computed
// behind such a call, behind a spawn or behind a sync must stay behind it, down to
// the machine code:
//
//   %p = call @__nopal_thread_bound(@x)   %p = llvm.threadlocal.address(@x)
//   store 1, %p                           store 1, %p
//   call @f()                             call @f()
//   %q = call @__nopal_thread_bound(@x)   %q = call @nopal.thread.x()
//   store 2, %q                           store 2, %q
//
// Invariant: a thread-bound value that is not computed by such an accessor, which no
// later pass can merge with another or move, is used in front of all these calls
// only, and so is what is made from it.
//
// Used by Outline.cpp and Split.cpp. Test: tests/pass/split-thread-bound-call.ll.
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
  /// Looks at all functions; to be made before the first of them is split, and
  /// again when functions have changed.
  Migration(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

  bool mayMigrate(const llvm::CallBase &Call) const;

  /// Gives each function of \p M that spawns or makes such a call ThreadChangesAttr.
  void mark(llvm::Module &M) const;

private:
  bool mayMigrate(const llvm::Function &Callee) const;

  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallPtrSet<const llvm::Function *, 16> Migrating;
};

/// Establishes the invariant in \p F and takes its markers away. Linear in the
/// function for each thread-bound value.
void lowerThreadBoundReads(llvm::Function &F, const Migration &Calls, Runtime &RT);

} // namespace nopal

#endif
