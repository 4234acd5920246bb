//===- InlineHelper.h - Inlining helpers and leaves again ------*- C++ -*-===//
//
// Undoes the outlining: inlines the child of a spawn into the fast clone, and the leaf of a loop
// that is not divided into the loop's function (SmallLoops). Tests: tests/pass/split-debug*.ll,
// loop-small.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_INLINEHELPER_H
#define NOPAL_SPLIT_INLINEHELPER_H

#include "../analysis/NamedPass.h"
#include "llvm/IR/InstrTypes.h"

namespace nopal::split {

/// Inlines the helpers or leaves that \p Calls, all in one function, call. Their lines were taken
/// from that function, so they get its scopes again, and their variables become its variables.
void inlineHelpers(llvm::ArrayRef<llvm::CallBase *> Calls);

/// Inlines children that do not spawn into fast clones.
class InlineHelpersPass : public analysis::NamedPass<InlineHelpersPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-inline-helpers";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::split

#endif
