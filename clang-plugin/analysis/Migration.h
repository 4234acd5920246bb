//===- Migration.h - Calls that may come back on another thread -*- C++ -*-===//
//
// A call of a function that spawns may come back on another thread, if it is made on a worker's
// segment. Used by Outline.cpp, which marks such functions for the middle of the pipeline, and by
// split/ThreadBoundLowering. Test: tests/pass/split-thread-bound-call.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_ANALYSIS_MIGRATION_H
#define NOPAL_ANALYSIS_MIGRATION_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace nopal::analysis {

/// Which calls of one module may come back on another thread: calls of functions that spawn or make
/// such a call, and calls of unknown functions.
class Migration {
public:
  /// Looks at all functions. Make it before the first of them is split, and again when functions
  /// have changed.
  Migration(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

  bool mayMigrate(const llvm::CallBase &Call) const;

  /// Gives each function of \p M that spawns or makes such a call ThreadChangesAttr.
  void mark(llvm::Module &M) const;

private:
  bool mayMigrate(const llvm::Function &Callee) const;

  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallPtrSet<const llvm::Function *, 16> Migrating;
};

} // namespace nopal::analysis

#endif
