//===- LoopTree.h - Dividing the range of a cilk_for -----------*- C++ -*-===//
//
// First step of the split: the marker of each loop becomes a call of a function
// that divides the range in halves, spawns one and goes on with the other.
// Picture: LoopTree.cpp. Why so: docs/decisions/0010. Tests: tests/pass/loop-*.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_LOOPTREE_H
#define NOPAL_SPLIT_LOOPTREE_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// Lowers all loop markers of the module. The functions it makes contain spawn markers.
/// A marker whose leaf is not known gets an error with its place.
class LowerLoopsPass : public analysis::RequiredPass<LowerLoopsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-lower-loops";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::split

#endif
