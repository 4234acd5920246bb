//===- Syncs.cpp - Normalizing sync markers -------------------------------===//
//
// See Syncs.h.
//
//===----------------------------------------------------------------------===//
#include "Syncs.h"

#include "../analysis/InFlight.h"
#include "../contract/Markers.h"
#include "Region.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::outline;

void outline::nameExceptionsInFlight(Function &F) {
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
  for (BasicBlock *BB : blocksInFlight(F))
    for (Instruction &I : make_early_inc_range(*BB))
      if (auto *Sync = dyn_cast<SyncMarker>(&I))
        replaceMarker(*Sync, Marker::SyncInFlight, {Sync->region(), Variables[0], Variables[1]});
}

bool outline::normalizeSyncs(Module &M) {
  // The stores to the hidden variables would add steps in a debugger, and lines in --coverage, that
  // the program does not have.
  SmallSetVector<StoreInst *, 8> Numbers;
  LLVMContext &C = M.getContext();
  const auto Cleanups = callsOf(M, Marker::SyncCleanup);
  for (CallBase *CB : Cleanups) {
    Value *Region = ConstantInt::get(Type::getInt32Ty(C), 0);
    for (User *Use : cast<SyncCleanupMarker>(CB)->variable()->users())
      if (auto *SI = dyn_cast<StoreInst>(Use); SI && isa<ConstantInt>(SI->getValueOperand())) {
        Region = SI->getValueOperand();
        Numbers.insert(SI);
      }
    CallBase *Sync = replaceMarker(*CB, Marker::Sync, Region);
    if (const DebugLoc &L = Sync->getDebugLoc())
      Sync->setDebugLoc(DILocation::get(C, L.getLine(), L.getCol(), L.getScope(), L.getInlinedAt(),
                                        /*ImplicitCode=*/true));
  }
  for (StoreInst *SI : Numbers)
    SI->eraseFromParent();
  return !Cleanups.empty();
}

void outline::keepRegionsApart(Module &M) {
  MapVector<Function *, SmallVector<AnySyncMarker *, 8>> Syncs;
  for (CallBase *CB : callsOf(M, {Marker::Sync, Marker::SyncInFlight}))
    Syncs[CB->getFunction()].push_back(cast<AnySyncMarker>(CB));
  for (auto &[F, Calls] : Syncs)
    if (any_of(Calls,
               [&Calls](AnySyncMarker *Sync) { return Sync->region() != Calls.front()->region(); }))
      for (CallBase *CB : Calls)
        CB->addFnAttr(Attribute::NoMerge);
}
