//===- MergePads.h - One landing pad for calls with one handler -*- C++ -*-===//
//
// Each landing pad that a slow clone can reach costs a resume number, and code in both clones. In a
// function with thousands of spawns most of the compile time goes there. Tests:
// tests/pass/split-merge-pads.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_MERGEPADS_H
#define NOPAL_SPLIT_MERGEPADS_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// Merges landing pads of spawners that do the same: equal clauses, one successor, and equal values
/// in its other phis. SimplifyCFG merges none if the exceptions meet in a phi.
///
///   invoke f() unwind %a         invoke f() unwind %a
///   invoke g() unwind %b         invoke g() unwind %a
///   a: %x = landingpad; br %c    a: %x = landingpad; br %c
///   b: %y = landingpad; br %c
///   c: phi [%x, %a], [%y, %b]    c: phi [%x, %a]
class MergePadsPass : public analysis::NamedPass<MergePadsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-merge-pads";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::split

#endif
