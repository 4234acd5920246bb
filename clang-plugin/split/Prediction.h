//===- Prediction.h - What is expected in the predicted bottom -*- C++ -*-===//
//
// The fast path compares bottom with what it finds in a register, which whoever
// moves bottom leaves there (runtime/src/platform/atoms.h, load_predicted). What is
// found may be anything. Used by Runtime and Split.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_PREDICTION_H
#define NOPAL_SPLIT_PREDICTION_H

#include "llvm/IR/Function.h"

namespace nopal {

/// Marks where the fast path's function \p F, not inlined yet, reads and sets the
/// register. With -mllvm -nopal-predict-bottom=false it expects nothing there.
void findPrediction(llvm::Function &F);

/// Where no call lies between two moves of bottom in \p F, as around a child that
/// was inlined, the second expects the very value of the first, in whatever
/// register it is: the child may use the one where it was left. Takes the marks
/// away.
void carryPrediction(llvm::Function &F);

} // namespace nopal

#endif
