//===- Cleanup.h - The last passes of the split ----------------*- C++ -*-===//
//
// They remove the markers and marks that are no longer needed, and simplify the clones. Tests:
// tests/pass/split-idle-sync*.ll, split-private-idle.ll, split-twice.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_CLEANUP_H
#define NOPAL_SPLIT_CLEANUP_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// Erases syncs in functions without a spawn, which wait for nothing. Private temporaries of spawns
/// that the optimizer has removed become allocas.
class LowerIdleMarkersPass : public analysis::RequiredPass<LowerIdleMarkersPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-lower-idle-markers";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// A short clean-up of each clone by LLVM's passes.
class TidyPass : public analysis::NamedPass<TidyPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-tidy";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

/// Erases helpers and functions of the fast path without callers, and prepares the others for code
/// generation.
class FinishHelpersPass : public analysis::RequiredPass<FinishHelpersPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-finish-helpers";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Removes all marks (Marks.h), and the declarations of markers. Protects the branches of new
/// functions as the module asks.
class EraseMarksPass : public analysis::RequiredPass<EraseMarksPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-erase-marks";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::split

#endif
