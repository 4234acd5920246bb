//===- Outliner.h - One region becomes a function --------------*- C++ -*-===//
//
// Its members are in Helper.cpp (the new function), Outline.cpp (the function around it) and
// Loops.cpp (the same for loops). Used by Outline.cpp.
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

  /// False if the child's part computes a value that the parent uses. No well-formed statement does
  /// that. The function is then unchanged.
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
  /// Scalars that are passed by value, with their loads before the marker.
  llvm::SmallVector<std::pair<llvm::AllocaInst *, llvm::LoadInst *>, 4> ByValue;
  /// For a loop: variables that only ever hold that constant.
  llvm::SmallVector<std::pair<llvm::AllocaInst *, llvm::Constant *>, 4> ByConstant;
  llvm::SmallVector<llvm::CallInst *, 2> HeapTemporaries;
  llvm::SmallVector<llvm::BasicBlock *, 16> Cloned;
  llvm::BasicBlock *RaiseBlock = nullptr; ///< where an exception leaves the helper
  llvm::AllocaInst *Exception = nullptr;  ///< that exception
};

} // namespace nopal::outline

#endif
