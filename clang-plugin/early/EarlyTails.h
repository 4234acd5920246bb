//===- EarlyTails.h - Early paths return what they have stored -*- C++ -*-===//
//
// Tests: tests/pass/split-early-tails.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_EARLY_EARLYTAILS_H
#define NOPAL_EARLY_EARLYTAILS_H

#include "../analysis/NamedPass.h"

namespace nopal::early {

/// An early path stores the result of a child and meets the others, which read it from the frame
/// and return. It gets a short rest of the function of its own, without the memory. Picture:
/// EarlyTails.cpp.
class EarlyTailsPass : public analysis::NamedPass<EarlyTailsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-early-tails";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace nopal::early

#endif
