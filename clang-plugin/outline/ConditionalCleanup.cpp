//===- ConditionalCleanup.cpp - Results whose child threw instead ---------===//
//
// See ConditionalCleanup.h. For a reference, if the function knows %tmp only through %r:
//
//   before                     after
//   ------                     -----
//   begin(id)                  outer(id, %tmp)
//   call @f(sret %tmp)         begin(id)
//   store %tmp, %r             store %tmp, %r
//   made(id, load %r)          call @f(sret %tmp)
//   end(id)                    end(id)
//
// For a variable with a destructor, and likewise for %tmp:
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
#include "ConditionalCleanup.h"

#include "../compatibility/Compatibility.h"
#include "../contract/Markers.h"
#include "SpawnedCalls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::outline;

/// \p CB is on an exceptional path, where nothing is constructed.
static bool isDestructorCall(const CallBase &CB, const Value *Object) {
  const Function *Callee = CB.getCalledFunction();
  if (!Callee || CB.arg_empty() || CB.getArgOperand(0) != Object)
    return false;
  ItaniumPartialDemangler Name;
  return !Name.partialDemangle(Callee->getName().str().c_str()) && Name.isCtorOrDtor();
}

/// The blocks that are reachable without an exception, from the entry or from a begin marker: that
/// may be reachable through a handler alone.
static SmallPtrSet<BasicBlock *, 32>
ordinaryBlocks(Function &F, const MapVector<Value *, BeginMarker *> &Begins) {
  SmallPtrSet<BasicBlock *, 32> Result;
  SmallVector<BasicBlock *, 32> Work{&F.getEntryBlock()};
  for (auto [Id, Begin] : Begins)
    Work.push_back(Begin->getParent());
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

/// Makes \p CB, a destructor call, depend on \p Flag. \p Others: the call also destroys objects
/// that have no flag.
static void guard(CallBase &CB, AllocaInst *Flag, bool Others) {
  IRBuilder<> B(&CB);
  Value *Made = B.CreateLoad(B.getInt1Ty(), Flag, "made");
  if (Others)
    B.CreateStore(B.getTrue(), Flag);
  if (isa<CallInst>(CB)) {
    Instruction *Then = SplitBlockAndInsertIfThen(Made, CB.getIterator(), /*Unreachable=*/false);
    CB.moveBefore(*Then->getParent(), Then->getIterator());
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

/// A statement that makes a result, from its begin marker to a made marker.
struct Making {
  CallBase *Spawned = nullptr;           ///< null if the call was folded
  SmallVector<Instruction *, 16> Parent; ///< the statement up to the spawned call
  SmallVector<Instruction *, 16> Child;  ///< from there to the marker
};

static Making findMaking(CallBase &Begin, const MadeMarker &Marker) {
  Making Result;
  SmallSetVector<BasicBlock *, 8> Work;
  auto Walk = [&](BasicBlock::iterator It, SmallVectorImpl<Instruction *> &Found, bool ToCall) {
    BasicBlock *BB = It->getParent();
    for (auto End = BB->end(); It != End; ++It) {
      auto *CB = dyn_cast<CallBase>(&*It);
      if (CB == &Marker)
        return;
      if (ToCall && CB && isSpawned(*CB)) {
        Result.Spawned = CB;
        return;
      }
      Found.push_back(&*It);
    }
    auto *II = dyn_cast<InvokeInst>(BB->getTerminator());
    for (BasicBlock *S : successors(BB))
      if (!II || S == II->getNormalDest())
        Work.insert(S);
  };
  auto After = [](CallBase &CB) {
    auto *II = dyn_cast<InvokeInst>(&CB);
    return II ? II->getNormalDest()->begin() : std::next(CB.getIterator());
  };
  Walk(After(Begin), Result.Parent, true);
  for (unsigned I = 0; I < Work.size() && !Result.Spawned; ++I)
    Walk(Work[I]->begin(), Result.Parent, true);
  if (!Result.Spawned)
    return Result;
  Work.clear();
  Walk(After(*Result.Spawned), Result.Child, false);
  for (unsigned I = 0; I < Work.size(); ++I)
    Walk(Work[I]->begin(), Result.Child, false);
  return Result;
}

/// \p Made is the operand of the marker: a constructed variable, or a reference. Adds the variable,
/// or the temporaries that are bound to the reference, to \p Objects. Adds what refers to them to
/// \p Holders.
static void findObjects(Value *Made, const Making &In, SmallSetVector<Value *, 2> &Objects,
                        SmallSetVector<Value *, 2> &Holders) {
  if (auto *Reference = dyn_cast<LoadInst>(Made))
    Holders.insert(Reference->getPointerOperand());
  else if (isa<AllocaInst, Argument>(Made)) {
    Objects.insert(Made);
    Holders.insert(Made);
  }
  for (unsigned I = 0; I < Holders.size(); ++I)
    for (ArrayRef<Instruction *> Part : {ArrayRef(In.Parent), ArrayRef(In.Child)})
      for (Instruction *Inst : Part) {
        auto *SI = dyn_cast<StoreInst>(Inst);
        if (!SI || getUnderlyingObject(SI->getPointerOperand()) != Holders[I])
          continue;
        auto *Bound = dyn_cast<AllocaInst>(getUnderlyingObject(SI->getValueOperand()));
        if (!Bound || Bound == Holders[I])
          continue;
        Objects.insert(Bound);
        Holders.insert(Bound);
      }
}

/// Whether \p V is the address of a local, or of a part of one at a constant offset.
static bool isFixedAddress(const Value *V) {
  while (auto *GEP = dyn_cast<GetElementPtrInst>(V)) {
    if (!GEP->hasAllConstantIndices())
      return false;
    V = GEP->getPointerOperand();
  }
  return isa<AllocaInst>(V);
}

/// The child's part begins the lifetimes of \p Holders, and binds \p Reference, if any, to an
/// address. Both are known before the child runs, so this moves them to the parent's part. The
/// continuation may then bind another reference to this one or pass it on, as it may take the
/// address of a variable.
static void bindEarly(const Making &In, const SmallSetVector<Value *, 2> &Holders,
                      const Value *Reference) {
  SmallVector<Instruction *, 8> Moved;
  for (Instruction *I : In.Child) {
    if (I->isLifetimeStartOrEnd()) {
      auto *II = cast<IntrinsicInst>(I);
      if (II->getIntrinsicID() == Intrinsic::lifetime_start &&
          Holders.contains(compat::variableOf(*II)))
        Moved.push_back(I);
      continue;
    }
    auto *SI = dyn_cast<StoreInst>(I);
    if (!SI || SI->getPointerOperand() != Reference)
      continue;
    // The constant that -ftrivial-auto-var-init stores first must not come after the address.
    if (!isFixedAddress(SI->getValueOperand()) && !isa<Constant>(SI->getValueOperand()))
      continue;
    const size_t First = Moved.size();
    Moved.push_back(SI);
    for (Value *V = SI->getValueOperand(); auto *GEP = dyn_cast<GetElementPtrInst>(V);
         V = GEP->getPointerOperand())
      if (is_contained(In.Child, GEP))
        Moved.push_back(GEP);
    std::reverse(Moved.begin() + First, Moved.end());
  }
  for (Instruction *I : Moved)
    I->moveBefore(*In.Spawned->getParent(), In.Spawned->getIterator());
}

/// The return slot may hold other objects at other times, which the same calls destroy. So the flag
/// of a variable there is false only from the spawn to the child's end, or to the place where an
/// exception leaves the variable's scope: a guarded call, or the pad of \p Begin.
static void makeOthersDestroyable(CallBase &Begin, CallBase *Spawned, AllocaInst &Flag) {
  Function &F = *Begin.getFunction();
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  B.CreateStore(B.getTrue(), &Flag);
  B.SetInsertPoint(Spawned ? Spawned : &Begin);
  B.CreateStore(B.getFalse(), &Flag);
  if (auto *II = dyn_cast<InvokeInst>(&Begin)) {
    B.SetInsertPoint(&*II->getUnwindDest()->getFirstInsertionPt());
    B.CreateStore(B.getTrue(), &Flag);
  }
}

void outline::guardConditionalCleanups(Function &F) {
  SmallVector<MadeMarker *, 4> Markers;
  MapVector<Value *, BeginMarker *> Begins; // by id
  for (Instruction &I : instructions(F))
    if (auto *Begin = dyn_cast<BeginMarker>(&I))
      Begins[Begin->id()] = Begin;
    else if (auto *Made = dyn_cast<MadeMarker>(&I))
      Markers.push_back(Made);
  if (Markers.empty())
    return;
  const SmallPtrSet<BasicBlock *, 32> Ordinary = ordinaryBlocks(F, Begins);
  for (MadeMarker *Marker : Markers) {
    BeginMarker *Begin = Begins.lookup(Marker->id());
    if (!Begin) {
      Marker->eraseFromParent();
      continue;
    }
    Value *Made = Marker->variable();
    const Making In = findMaking(*Begin, *Marker);
    SmallSetVector<Value *, 2> Objects, Holders;
    findObjects(Made, In, Objects, Holders);
    auto *Reference = dyn_cast<LoadInst>(Made);
    if (In.Spawned)
      bindEarly(In, Holders, Reference ? Reference->getPointerOperand() : nullptr);
    for (Value *Object : Objects) {
      if (isa<AllocaInst>(Object))
        OuterMarker::create(Begin->getIterator(), Begin->id().get(), Object);
      SmallVector<CallBase *, 4> Destructions;
      for (User *U : Object->users())
        if (auto *CB = dyn_cast<CallBase>(U);
            CB && isDestructorCall(*CB, Object) && !Ordinary.contains(CB->getParent()))
          Destructions.push_back(CB);
      if (!Destructions.empty()) {
        IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
        AllocaInst *Flag = B.CreateAlloca(B.getInt1Ty(), nullptr, Object->getName() + ".made");
        if (isa<Argument>(Object)) {
          makeOthersDestroyable(*Begin, In.Spawned, *Flag);
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
    if (Reference && Reference->use_empty())
      Reference->eraseFromParent();
  }
}
