//===- Outliner.h - One region becomes a function --------------*- C++ -*-===//
//
// Builds the function that a carved region becomes (Helper.cpp) and rewrites the
// function around it (Outline.cpp; for a loop Loops.cpp). Used by Outline.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_OUTLINER_H
#define NOPAL_OUTLINE_OUTLINER_H

#include "Region.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace nopal::outline {

/// Builds the helper of one carved region and rewrites the parent. The helper of
/// a loop is its leaf, helper(operands..., lo, hi).
class Outliner {
public:
  Outliner(llvm::Function &F, Region &R) : F(F), R(R), M(*F.getParent()) {}

  /// False if the child's part computes a value that the parent uses, which no
  /// well-formed statement does; the function is then unchanged.
  bool run();
  /// The function that the region has become. Needs run().
  llvm::Function *helper() { return Helper; }

private:
  void copyByValueArguments();
  bool collectInputs();
  void makePrivate(llvm::AllocaInst &AI, bool OnHeap);
  void createHelper();
  void describeLeafArguments();
  void describe();
  void finishHelper();
  void rewriteParent();
  void removeDeadChild(llvm::BasicBlock *Pad);
  void callSpawn(llvm::BasicBlock *Marker);
  llvm::CallBase *callBetween(llvm::BasicBlock *Marker, llvm::FunctionCallee Callee,
                              llvm::ArrayRef<llvm::Value *> Operands);
  void callLoop(llvm::BasicBlock *Marker);
  void freeOnParentPads();

  llvm::Function &F;
  Region &R;
  llvm::Module &M;
  llvm::Function *Helper = nullptr;
  llvm::ValueToValueMapTy VMap;
  llvm::SmallSetVector<llvm::Value *, 16> Inputs;
  llvm::SmallSetVector<llvm::AllocaInst *, 8> Local;
  /// Scalars that are passed by value, with the loads that stand before the
  /// marker once it is there.
  llvm::SmallVector<std::pair<llvm::AllocaInst *, llvm::LoadInst *>, 4> ByValue;
  /// Of a loop: variables that never hold anything else.
  llvm::SmallVector<std::pair<llvm::AllocaInst *, llvm::Constant *>, 4> ByConstant;
  llvm::SmallVector<llvm::CallInst *, 2> HeapTemporaries;
  llvm::SmallVector<llvm::BasicBlock *, 16> Cloned;
  llvm::BasicBlock *RaiseBlock = nullptr; ///< where an exception leaves the helper
  llvm::AllocaInst *Exception = nullptr;  ///< the one that does
};

} // namespace nopal::outline

#endif
