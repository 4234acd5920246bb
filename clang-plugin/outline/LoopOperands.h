//===- LoopOperands.h - Members that a loop only reads ---------*- C++ -*-===//
//
// Runs between outlining and split, after inlining and before vectorization. The outliner passes a
// variable by value if no other code can know it, in the IR as Clang emits it. A variable of class
// type never qualifies there, since its constructor had its address. Once constructors and
// operators are inlined, it often does. Reasons: docs/decisions/0002. Tests:
// tests/pass/loop-members.ll, loop-vectorize.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_LOOPOPERANDS_H
#define NOPAL_OUTLINE_LOOPOPERANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

namespace nopal::outline {

/// Replaces an operand of a loop that is the address of a local by the values that the leaf loads
/// from it, if no code can write them while the loop runs. Runs \p Simplify on each leaf that it
/// has changed.
class LoopOperandsPass : public llvm::PassInfoMixin<LoopOperandsPass> {
public:
  explicit LoopOperandsPass(llvm::FunctionPassManager Simplify) : Simplify(std::move(Simplify)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);

private:
  llvm::FunctionPassManager Simplify;
};

} // namespace nopal::outline

#endif
