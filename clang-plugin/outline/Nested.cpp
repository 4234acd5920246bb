//===- Nested.cpp - Nested sync regions -----------------------------------===//
//
// See Nested.h.
//
//===----------------------------------------------------------------------===//
#include "Nested.h"

#include "../analysis/InFlight.h"
#include "../contract/Markers.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::outline;

/// The operand that holds the region's number, in a marker that has one.
static Use *regionNumber(Instruction &I) {
  if (auto *Spawn = dyn_cast<SpawnMarker>(&I))
    return &Spawn->region();
  if (auto *Begin = dyn_cast<RegionBeginMarker>(&I))
    return &Begin->region();
  auto *Sync = dyn_cast<AnySyncMarker>(&I);
  return Sync ? &Sync->region() : nullptr;
}

bool outline::normalizeRegionEnds(Module &M) {
  DenseMap<Function *, BlocksInFlight> InFlight;
  const auto Cleanups = callsOf(M, Marker::RegionEndCleanup);
  for (CallBase *CB : Cleanups) {
    Function &F = *CB->getFunction();
    auto [Known, New] = InFlight.try_emplace(&F);
    if (New)
      Known->second = blocksInFlight(F);
    Value *Id = nullptr;
    for (User *Use : cast<RegionEndCleanupMarker>(CB)->variable()->users())
      if (auto *SI = dyn_cast<StoreInst>(Use))
        Id = SI->getValueOperand();
    if (!Id || Known->second.contains(CB->getParent()))
      eraseMarker(*CB);
    else
      replaceMarker(*CB, Marker::RegionEnd, Id);
  }
  return !Cleanups.empty();
}

/// The begin markers of \p F that control may reach while a child of another region runs: over
/// normal edges from its spawn, without a sync of its region. An exception waits for all children
/// before a handler runs.
static SmallPtrSet<AnyBeginMarker *, 8> beginsInFlight(Function &F) {
  SmallPtrSet<AnyBeginMarker *, 8> Result;
  for (Instruction &Spawn : instructions(F)) {
    if (!isa<SpawnMarker>(Spawn))
      continue;
    const Value *Number = regionNumber(Spawn)->get();
    SmallPtrSet<BasicBlock *, 16> Seen;
    SmallVector<BasicBlock::iterator, 16> Work;
    if (auto *II = dyn_cast<InvokeInst>(&Spawn))
      Work.push_back(II->getNormalDest()->begin());
    else
      Work.push_back(std::next(Spawn.getIterator()));
    while (!Work.empty()) {
      BasicBlock::iterator It = Work.pop_back_val();
      BasicBlock *BB = It->getParent();
      bool Waited = false;
      for (; It != BB->end() && !Waited; ++It) {
        if (isa<RegionBeginMarker>(*It))
          Result.insert(cast<AnyBeginMarker>(&*It));
        Waited = isa<SyncMarker>(*It) && regionNumber(*It)->get() == Number;
      }
      if (Waited)
        continue;
      auto *II = dyn_cast<InvokeInst>(BB->getTerminator());
      for (BasicBlock *S : successors(BB))
        if ((!II || S == II->getNormalDest()) && Seen.insert(S).second)
          Work.push_back(S->begin());
    }
  }
  return Result;
}

/// Whether the region's blocks may become a function: they must have nothing that is valid only in
/// the function around them.
static bool canBeCalled(const Region &R) {
  bool SavesStack = false, AllocatesOnStack = false;
  for (BasicBlock *BB : R.Child) {
    if (isa<ReturnInst>(BB->getTerminator()) || BB == R.Begin->getParent())
      return false; // no single end
    for (Instruction &I : *BB) {
      auto *II = dyn_cast<IntrinsicInst>(&I);
      if (II && II->getIntrinsicID() == Intrinsic::vastart)
        return false;
      SavesStack |= II && II->getIntrinsicID() == Intrinsic::stacksave;
      auto *AI = dyn_cast<AllocaInst>(&I);
      AllocatesOnStack |= AI && !AI->isStaticAlloca();
    }
  }
  return SavesStack || !AllocatesOnStack; // a VLA dies here, alloca() does not
}

bool outline::findRegionToExtract(Function &F, Region &Result) {
  const SmallPtrSet<AnyBeginMarker *, 8> InFlight = beginsInFlight(F);
  // An outer region begins before its inner ones on every path.
  SmallVector<AnyBeginMarker *, 8> Candidates;
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *BB)
      if (auto *Begin = dyn_cast<AnyBeginMarker>(&I); Begin && InFlight.contains(Begin))
        Candidates.push_back(Begin);
  for (AnyBeginMarker *Begin : Candidates) {
    Region R;
    R.Begin = Begin;
    R.IsBlock = R.IsCalled = true;
    findEnd(R);
    R.carve();
    if (!canBeCalled(R))
      continue;
    Result = R;
    return true;
  }
  return false;
}

void outline::makeFunctionRegion(Function &Helper, const Value *Number) {
  for (Instruction &I : instructions(Helper))
    if (Use *U = regionNumber(I); U && U->get() == Number)
      U->set(Constant::getNullValue(Number->getType()));
}

void outline::eraseSyncs(Function &F) {
  eraseMarkers(F, {Marker::Sync, Marker::SyncInFlight});
  removeUnreachableBlocks(F);
}

void outline::dissolveRegions(Function &F) {
  eraseMarkers(F, {Marker::RegionBegin, Marker::RegionEnd});
  removeUnreachableBlocks(F);
}
