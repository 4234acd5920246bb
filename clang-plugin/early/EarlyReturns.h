//===- EarlyReturns.h - Early paths return without a stack frame -*- C++ -*-===//
//
// Tests: tests/pass/split-early-returns.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_EARLY_EARLYRETURNS_H
#define NOPAL_EARLY_EARLYRETURNS_H

#include "../analysis/NamedPass.h"

namespace nopal::early {

/// Code generation builds the stack frame after the early returns of a function (shrink wrapping),
/// if all paths leave it by one return. What leaves it otherwise gets a branch there, which is
/// never taken. Picture: EarlyReturns.cpp.
///
/// Last, and not before link-time optimization: the function must not be inlined any more.
class EarlyReturnsPass : public analysis::NamedPass<EarlyReturnsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-early-returns";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace nopal::early

#endif
