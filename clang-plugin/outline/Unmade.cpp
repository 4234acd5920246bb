//===- Unmade.cpp - Results whose child threw instead ---------------------===//
//
// See Unmade.h.
//
//   before                     after
//   ------                     -----
//   begin(id)                  store false, %made
//   call @f(sret %x)           begin(id)
//   made(id, %x)               call @f(sret %x)
//   end(id)                    store true, %made
//   ...                        end(id)
// pad:                         ...
//   call @~T(%x)             pad:
//                              br %made, destroy, next
//                            destroy: call @~T(%x); br next
//
//===----------------------------------------------------------------------===//
#include "Unmade.h"

#include "../markers/Markers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace nopal;

/// \p CB is known to stand on an exceptional path, where nothing is constructed.
static bool isDestructorCall(const CallBase &CB, const AllocaInst *Object) {
  const Function *Callee = CB.getCalledFunction();
  if (!Callee || CB.arg_empty() || CB.getArgOperand(0) != Object)
    return false;
  ItaniumPartialDemangler Name;
  return !Name.partialDemangle(Callee->getName().str().c_str()) &&
         Name.isCtorOrDtor();
}

/// The blocks that are reached without an exception.
static SmallPtrSet<BasicBlock *, 32> ordinaryBlocks(Function &F) {
  SmallPtrSet<BasicBlock *, 32> Result;
  SmallVector<BasicBlock *, 32> Work{&F.getEntryBlock()};
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (!Result.insert(BB).second)
      continue;
    if (auto *II = dyn_cast<InvokeInst>(BB->getTerminator()))
      Work.push_back(II->getNormalDest());
    else
      append_range(Work, successors(BB));
  }
  return Result;
}

/// Makes \p CB, a destructor call, depend on \p Flag.
static void guard(CallBase &CB, AllocaInst *Flag) {
  IRBuilder<> B(&CB);
  Value *Made = B.CreateLoad(B.getInt1Ty(), Flag, "made");
  if (isa<CallInst>(CB)) {
    Instruction *Then =
        SplitBlockAndInsertIfThen(Made, CB.getIterator(), /*Unreachable=*/false);
    CB.moveBefore(Then->getIterator());
    return;
  }
  BasicBlock *BB = CB.getParent();
  BasicBlock *Destroy = SplitBlock(BB, CB.getIterator());
  BasicBlock *Next = cast<InvokeInst>(CB).getNormalDest();
  for (PHINode &Phi : Next->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(Destroy), BB);
  BB->getTerminator()->eraseFromParent();
  B.SetInsertPoint(BB);
  B.SetCurrentDebugLocation(CB.getDebugLoc());
  B.CreateCondBr(Made, Destroy, Next);
}

void nopal::guardUnmadeResults(Function &F) {
  SmallVector<CallInst *, 4> Markers;
  DenseMap<Value *, CallBase *> Begins; // by id
  for (Instruction &I : instructions(F)) {
    auto *CB = dyn_cast<CallBase>(&I);
    const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
    if (!Callee)
      continue;
    if (Callee->getName() == marker::Begin)
      Begins[CB->getArgOperand(0)] = CB;
    else if (Callee->getName() == marker::Made && isa<CallInst>(CB))
      Markers.push_back(cast<CallInst>(CB));
  }
  for (CallInst *Marker : Markers) {
    auto *Object = dyn_cast<AllocaInst>(Marker->getArgOperand(1));
    CallBase *Begin = Begins.lookup(Marker->getArgOperand(0));
    if (Object && Begin) {
      const SmallPtrSet<BasicBlock *, 32> Ordinary = ordinaryBlocks(F);
      SmallVector<CallBase *, 4> Destructions;
      for (User *U : Object->users())
        if (auto *CB = dyn_cast<CallBase>(U);
            CB && isDestructorCall(*CB, Object) &&
            !Ordinary.contains(CB->getParent()))
          Destructions.push_back(CB);
      if (!Destructions.empty()) {
        IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
        AllocaInst *Flag = B.CreateAlloca(B.getInt1Ty(), nullptr,
                                          Object->getName() + ".made");
        B.SetInsertPoint(Begin);
        B.CreateStore(B.getFalse(), Flag);
        B.SetInsertPoint(Marker);
        B.CreateStore(B.getTrue(), Flag);
        for (CallBase *CB : Destructions)
          guard(*CB, Flag);
      }
    }
    Marker->eraseFromParent();
  }
}
