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
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace nopal;

/// \p CB is known to stand on an exceptional path, where nothing is constructed.
static bool isDestructorCall(const CallBase &CB, const Value *Object) {
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

/// Makes \p CB, a destructor call, depend on \p Flag. \p Others: the call also
/// destroys objects that the flag does not know.
static void guard(CallBase &CB, AllocaInst *Flag, bool Others) {
  IRBuilder<> B(&CB);
  Value *Made = B.CreateLoad(B.getInt1Ty(), Flag, "made");
  if (Others)
    B.CreateStore(B.getTrue(), Flag);
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

/// What \p Made, the operand of the marker, says to be constructed: the variable,
/// or the temporaries that are bound to the reference that it is or has.
static SmallSetVector<Value *, 2> constructedObjects(Value *Made) {
  SmallSetVector<Value *, 2> Result;
  Value *Holder = Made;
  if (auto *Reference = dyn_cast<LoadInst>(Made))
    Holder = Reference->getPointerOperand();
  else if (isa<AllocaInst, Argument>(Made))
    Result.insert(Made);
  SmallVector<User *, 8> Work(Holder->users());
  while (!Work.empty()) {
    User *U = Work.pop_back_val();
    if (isa<GetElementPtrInst>(U)) {
      append_range(Work, U->users());
      continue;
    }
    auto *SI = dyn_cast<StoreInst>(U);
    if (!SI || SI->getValueOperand() == Holder)
      continue;
    if (auto *Bound = dyn_cast<AllocaInst>(getUnderlyingObject(SI->getValueOperand())))
      Result.insert(Bound);
  }
  return Result;
}

/// The call that is spawned, of the statement that begins with \p Begin.
static Instruction *spawnedCall(CallBase &Begin) {
  SmallSetVector<BasicBlock *, 8> Work;
  Work.insert(Begin.getParent());
  for (unsigned I = 0; I < Work.size(); ++I) {
    for (auto It = I ? Work[I]->begin() : Begin.getIterator(),
              End = Work[I]->end();
         It != End; ++It)
      if (auto *CB = dyn_cast<CallBase>(&*It);
          CB && CB->hasFnAttr(Attribute::CoroElideSafe))
        return CB;
    auto *II = dyn_cast<InvokeInst>(Work[I]->getTerminator());
    for (BasicBlock *S : successors(Work[I]))
      if (!II || S == II->getNormalDest())
        Work.insert(S);
  }
  return &Begin;
}

/// In the return slot there may be other objects at other times, which are
/// destroyed by the same calls. So the flag of a variable there is false only from
/// the spawn to the child's end, or to where an exception leaves the variable's
/// scope: at a guarded call, or at the pad of \p Begin.
static void makeOthersDestroyable(CallBase &Begin, AllocaInst &Flag) {
  Function &F = *Begin.getFunction();
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  B.CreateStore(B.getTrue(), &Flag);
  B.SetInsertPoint(spawnedCall(Begin));
  B.CreateStore(B.getFalse(), &Flag);
  if (auto *II = dyn_cast<InvokeInst>(&Begin)) {
    B.SetInsertPoint(&*II->getUnwindDest()->getFirstInsertionPt());
    B.CreateStore(B.getTrue(), &Flag);
  }
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
  if (Markers.empty())
    return;
  const SmallPtrSet<BasicBlock *, 32> Ordinary = ordinaryBlocks(F);
  for (CallInst *Marker : Markers) {
    CallBase *Begin = Begins.lookup(Marker->getArgOperand(0));
    if (!Begin) {
      Marker->eraseFromParent();
      continue;
    }
    for (Value *Object : constructedObjects(Marker->getArgOperand(1))) {
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
        if (isa<Argument>(Object)) {
          makeOthersDestroyable(*Begin, *Flag);
        } else {
          B.SetInsertPoint(Begin);
          B.CreateStore(B.getFalse(), Flag);
        }
        B.SetInsertPoint(Marker);
        B.CreateStore(B.getTrue(), Flag);
        for (CallBase *CB : Destructions)
          guard(*CB, Flag, isa<Argument>(Object));
      }
    }
    Marker->eraseFromParent();
  }
}
