//===- Syncs.cpp - The sync markers, as the passes want them --------------===//
//
// See Syncs.h.
//
//===----------------------------------------------------------------------===//
#include "Syncs.h"

#include "../analysis/InFlight.h"
#include "../markers/Markers.h"
#include "Region.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace nopal;

void nopal::nameExceptionsInFlight(Function &F) {
  AllocaInst *Variables[2] = {};
  bool HasHandler = false;
  for (Instruction &I : instructions(F)) {
    if (auto *Pad = dyn_cast<LandingPadInst>(&I))
      HasHandler |= Pad->getNumClauses() != 0;
    if (auto *AI = dyn_cast<AllocaInst>(&I))
      if (int Which = exceptionVariable(*AI); Which >= 0)
        Variables[Which] = AI;
  }
  if (!HasHandler || !Variables[0] || !Variables[1])
    return;
  LLVMContext &C = F.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  FunctionCallee InFlight = F.getParent()->getOrInsertFunction(
      marker::SyncInFlight,
      FunctionType::get(Type::getVoidTy(C), {Type::getInt32Ty(C), Ptr, Ptr},
                        false));
  for (BasicBlock *BB : blocksInFlight(F))
    for (Instruction &I : make_early_inc_range(*BB)) {
      auto *CB = dyn_cast<CallBase>(&I);
      if (!CB || !CB->getCalledFunction() ||
          CB->getCalledFunction()->getName() != marker::Sync)
        continue;
      Value *Args[] = {CB->getArgOperand(0), Variables[0], Variables[1]};
      CallBase *New;
      if (auto *II = dyn_cast<InvokeInst>(CB))
        New = InvokeInst::Create(InFlight, II->getNormalDest(),
                                 II->getUnwindDest(), Args, "",
                                 CB->getIterator());
      else
        New = CallInst::Create(InFlight, Args, "", CB->getIterator());
      New->setDebugLoc(CB->getDebugLoc());
      CB->eraseFromParent();
    }
}

void nopal::normalizeSyncs(Module &M) {
  Function *Cleanup = M.getFunction(marker::SyncCleanup);
  if (!Cleanup)
    return;
  LLVMContext &C = M.getContext();
  FunctionCallee Sync = M.getOrInsertFunction(
      marker::Sync, Type::getVoidTy(C), Type::getInt32Ty(C));
  // The hidden variables' stores would be steps of a debugger and lines of
  // --coverage that the program does not have.
  SmallSetVector<StoreInst *, 8> Numbers;
  for (User *U : make_early_inc_range(Cleanup->users())) {
    auto *CB = dyn_cast<CallBase>(U);
    if (!CB)
      continue;
    Constant *Region = ConstantInt::get(Type::getInt32Ty(C), 0);
    for (User *Use : CB->getArgOperand(0)->users())
      if (auto *SI = dyn_cast<StoreInst>(Use))
        if (auto *Number = dyn_cast<ConstantInt>(SI->getValueOperand())) {
          Region = Number;
          Numbers.insert(SI);
        }
    CB->setCalledFunction(Sync);
    CB->setArgOperand(0, Region);
    CB->setAttributes(AttributeList());
    if (const DebugLoc &L = CB->getDebugLoc())
      CB->setDebugLoc(DILocation::get(C, L.getLine(), L.getCol(), L.getScope(),
                                      L.getInlinedAt(), /*ImplicitCode=*/true));
  }
  for (StoreInst *SI : Numbers)
    SI->eraseFromParent();
}

void nopal::keepRegionsApart(Module &M) {
  MapVector<Function *, SmallVector<CallBase *, 8>> Syncs;
  for (const char *Name : {marker::Sync, marker::SyncInFlight})
    if (Function *Marker = M.getFunction(Name))
      for (User *U : Marker->users())
        if (auto *CB = dyn_cast<CallBase>(U))
          Syncs[CB->getFunction()].push_back(CB);
  for (auto &[F, Calls] : Syncs)
    if (any_of(Calls, [&Calls](CallBase *CB) {
          return CB->getArgOperand(0) != Calls.front()->getArgOperand(0);
        }))
      for (CallBase *CB : Calls)
        CB->addFnAttr(Attribute::NoMerge);
}
