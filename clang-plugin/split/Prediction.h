//===- Prediction.h - What is expected in the predicted bottom -*- C++ -*-===//
//
// The fast path compares bottom with what it finds in a register, which whoever
// moves bottom leaves there (runtime/src/platform/atoms.h, load_predicted). What is
// found may be anything. Used by FastPath.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_PREDICTION_H
#define NOPAL_SPLIT_PREDICTION_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// Marks where the fast path's function \p F, not inlined yet, reads and sets the
/// register. With -mllvm -nopal-predict-bottom=false it expects nothing there.
void findPrediction(llvm::Function &F);

/// Where no call lies between two moves of bottom in a clone, as around a child that
/// was inlined, the second expects the very value of the first, in whatever
/// register it is: the child may use the one where it was left.
class CarryPredictionPass : public analysis::NamedPass<CarryPredictionPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-carry-prediction";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::split

#endif
