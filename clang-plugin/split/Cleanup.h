//===- Cleanup.h - The last passes of the split ----------------*- C++ -*-===//
//
// They take away what no longer has a meaning, and shorten the clones. Tests:
// tests/pass/split-idle-sync*.ll, split-private-idle.ll, split-twice.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_CLEANUP_H
#define NOPAL_SPLIT_CLEANUP_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// A sync without a spawn in its function waits for nothing, and a private temporary
/// of a spawn that the optimizer has removed is an alloca.
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

/// Landing pads of a clone hand their exceptions on through memory where many meet. As
/// a value they would be one register with a definition at each, and the code generator
/// looks at all of them for each of them.
class DemoteWidePadsPass : public analysis::NamedPass<DemoteWidePadsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-demote-wide-pads";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Erases helpers and functions of the fast path that nobody calls, and finishes the
/// others for code generation.
class FinishHelpersPass : public analysis::RequiredPass<FinishHelpersPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-finish-helpers";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Takes off all marks (Marks.h) and erases the declarations of markers.
class EraseMarksPass : public analysis::RequiredPass<EraseMarksPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-erase-marks";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::split

#endif
