//===- CodeCost.h - What the code between two hooks costs ------*- C++ -*-===//
//
// Used by TimeStrands.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPAN_CODECOST_H
#define NOPAL_SPAN_CODECOST_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace nopal::span {

/// True of the hooks that begin and end strands.
bool isStrandHook(const llvm::Instruction &I);

/// Costs of paths through functions, each asked for once. The functions must not change.
class CodeCost {
public:
  explicit CodeCost(llvm::FunctionAnalysisManager &FAM) : FAM(FAM) {}

  /// The most that runs from \p I on up to the next hook, or to the end of the function. None if
  /// that may be more than NOPAL_SPAN_MOST_UNITS: a loop, recursion, or a function that is not
  /// known.
  std::optional<unsigned> upToHook(llvm::Instruction &I);
  /// The most that may have run of the function since its last hook when \p I runs.
  unsigned sinceHook(llvm::Instruction &I);

private:
  using Cost = std::optional<unsigned>;
  Cost ofCallee(llvm::Function &F);
  Cost ofInstruction(llvm::Instruction &I);
  Cost forward(llvm::BasicBlock::iterator From, llvm::BasicBlock &BB);
  unsigned backward(llvm::BasicBlock::iterator From, llvm::BasicBlock &BB);

  llvm::FunctionAnalysisManager &FAM;
  // None while they are computed: what comes back to them has no bound.
  llvm::DenseMap<llvm::Function *, Cost> Callees;
  llvm::DenseMap<llvm::BasicBlock *, Cost> Forward;
  llvm::DenseMap<llvm::BasicBlock *, unsigned> Backward;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> Current; // of Forward: those that are computed
  unsigned Depth = 0;
};

} // namespace nopal::span

#endif
