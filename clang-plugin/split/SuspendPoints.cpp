//===- SuspendPoints.cpp - Where a spawning function can be left and entered -----===//
//
// See SuspendPoints.h.
//
//===----------------------------------------------------------------------===//
#include "SuspendPoints.h"

#include "../analysis/Functions.h"
#include "../analysis/InFlight.h"
#include "../contract/Markers.h"
#include "../contract/Refusal.h"
#include "nopal_abi.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

/// A second stack belongs to a thread, and a spawning function may continue on another thread.
static std::optional<Refusal> stackOfThread(const Function &F) {
  if (F.hasFnAttribute("split-stack"))
    return Refusal::SplitStack;
  if (F.hasFnAttribute(Attribute::SafeStack))
    return Refusal::SafeStack;
  if (F.hasFnAttribute(Attribute::ShadowCallStack))
    return Refusal::ShadowCallStack;
  return std::nullopt;
}

std::optional<Refusal> split::whyNotSplittable(const Function &F, const Instruction *&Where) {
  if (std::optional<Refusal> Why = stackOfThread(F)) {
    for (const Instruction &I : instructions(F))
      if (isMarker(I, Marker::Spawn)) {
        Where = &I;
        break;
      }
    return Why;
  }
  for (const BasicBlock &BB : F)
    if (BB.hasAddressTaken()) {
      Where = BB.getTerminator();
      return Refusal::LabelAddress;
    }
  for (const Instruction &I : instructions(F)) {
    Where = &I;
    const auto *Spawn = dyn_cast<SpawnMarker>(&I);
    if (Spawn && (Spawn->arg_size() < SpawnMarker::FirstOfRest || !Spawn->helper()))
      return Refusal::MergedSpawn;
    if (const auto *Sync = dyn_cast<AnySyncMarker>(&I); Sync && !isa<ConstantInt>(Sync->region()))
      return Refusal::MergedSync;
    if (isa<CallBrInst>(I))
      return Refusal::AsmGoto;
    if (I.isEHPad() && !isa<LandingPadInst>(I))
      return Refusal::ExceptionModel;
    if (const auto *CI = dyn_cast<CallInst>(&I); CI && CI->isMustTailCall())
      return Refusal::Musttail;
    if (const auto *CB = dyn_cast<CallBase>(&I); CB && CB->hasFnAttr(Attribute::ReturnsTwice))
      return Refusal::Setjmp;
    if (const auto *AI = dyn_cast<AllocaInst>(&I);
        AI && (AI->getAllocatedType()->isScalableTy() || AI->isSwiftError()))
      return Refusal::Scalable;
  }
  return std::nullopt;
}

static unsigned regionOf(const CallBase &Marker) {
  if (const auto *Spawn = dyn_cast<SpawnMarker>(&Marker))
    return numberOf(Spawn->region());
  return numberOf(cast<AnySyncMarker>(Marker).region());
}

/// Whether two invokes that unwind to one block may share a copy of its landing pad:
/// ordinary calls may, and the spawns of one region. A sync has one of its own.
static unsigned kindOfInvoke(const InvokeInst &II) {
  if (isMarker(II, Marker::Spawn))
    return 2 + regionOf(II);
  return !isa<AnySyncMarker>(II);
}

/// Every landing pad block is split after its landingpad instruction, and invokes
/// get copies (Pad, Rest) that branch to what follows. Those of one kind from which
/// the same values come share one, so a function with many spawns has few:
///
///   L: phis; landingpad; rest   =>   Pad_i: landingpad; br Rest_i
///                                    Rest_i: br Tail
///                                    Tail: phis (Rest_i); phi of pads; rest
static void separateLandingPads(Function &F, DenseMap<CallBase *, Landing> &Result) {
  SmallVector<BasicBlock *, 8> PadBlocks;
  for (BasicBlock &BB : F)
    if (BB.isLandingPad())
      PadBlocks.push_back(&BB);
  for (BasicBlock *L : PadBlocks) {
    LandingPadInst *Old = L->getLandingPadInst();
    BasicBlock *Tail = SplitBlock(L, std::next(Old->getIterator()));
    SmallVector<BasicBlock *, 8> Preds(predecessors(L));
    auto *Pads = PHINode::Create(Old->getType(), Preds.size(), "", Tail->begin());
    Pads->setDebugLoc(Old->getDebugLoc());
    SmallVector<std::pair<PHINode *, PHINode *>, 4> Phis;
    for (PHINode &Phi : L->phis()) {
      auto *New = PHINode::Create(Phi.getType(), Preds.size(), Phi.getName(), Tail->begin());
      New->setDebugLoc(Phi.getDebugLoc());
      Phis.push_back({&Phi, New});
    }
    // The values that each predecessor gives the phis, in the order of the phis.
    DenseMap<BasicBlock *, SmallVector<Value *, 2>> From;
    for (auto [Phi, New] : Phis)
      for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
        From[Phi->getIncomingBlock(I)].push_back(Phi->getIncomingValue(I));
    std::map<std::pair<unsigned, SmallVector<Value *, 2>>, Landing> Shared;
    for (BasicBlock *Pred : Preds) {
      auto *II = cast<InvokeInst>(Pred->getTerminator());
      const SmallVector<Value *, 2> Incoming = From.lookup(Pred);
      const unsigned Kind = kindOfInvoke(*II);
      if (Kind)
        if (auto It = Shared.find({Kind, Incoming}); It != Shared.end()) {
          II->setUnwindDest(It->second.Pad);
          Result[II] = It->second;
          continue;
        }
      auto *Pad = BasicBlock::Create(F.getContext(), "pad", &F, Tail);
      auto *Rest = BasicBlock::Create(F.getContext(), "pad.rest", &F, Tail);
      Instruction *Copy = Old->clone();
      Copy->insertInto(Pad, Pad->end());
      BranchInst::Create(Rest, Pad)->setDebugLoc(Old->getDebugLoc());
      BranchInst::Create(Tail, Rest)->setDebugLoc(Old->getDebugLoc());
      Pads->addIncoming(Copy, Rest);
      for (auto [Phi, V] : zip(Phis, Incoming))
        Phi.second->addIncoming(V, Rest);
      II->setUnwindDest(Pad);
      Result[II] = {Pad, Rest};
      Shared[{Kind, Incoming}] = {Pad, Rest};
    }
    for (auto [From, To] : Phis)
      From->replaceAllUsesWith(To);
    Old->replaceAllUsesWith(Pads);
    // L has no predecessors left. Its branch into Tail has no entry in the new
    // phis, so it is cut by hand.
    L->getTerminator()->eraseFromParent();
    new UnreachableInst(F.getContext(), L);
    DeleteDeadBlock(L);
  }
}

/// Gives the normal edge of \p II a block of its own, so that a clone is entered at a block with
/// one predecessor and no phis.
///
///   invoke ... to old    =>    invoke ... to cont;   cont: br old
static BasicBlock *ownNormalDest(InvokeInst *II) {
  BasicBlock *Old = II->getNormalDest();
  auto *New = BasicBlock::Create(II->getContext(), "cont", II->getFunction(), Old);
  BranchInst::Create(Old, New)->setDebugLoc(II->getDebugLoc());
  Old->replacePhiUsesWith(II->getParent(), New);
  II->setNormalDest(New);
  return New;
}

/// A pad that only resumes, for spawn markers that are calls and may throw.
static BasicBlock *createRaisingPad(Function &F, const DebugLoc &Loc) {
  ensurePersonality(F);
  auto *Pad = BasicBlock::Create(F.getContext(), "spawn.pad", &F);
  IRBuilder<> B(Pad);
  B.SetCurrentDebugLocation(Loc);
  LandingPadInst *LP = B.CreateLandingPad(StructType::get(B.getPtrTy(), B.getInt32Ty()), 0);
  LP->setCleanup(true);
  B.CreateResume(LP);
  return Pad;
}

static void walkSlowBlocks(SuspendPoints &P) {
  P.SlowBlocks.clear();
  SmallPtrSet<BasicBlock *, 8> StopAfter; // blocks that end in a sync
  for (SyncPoint &S : P.Syncs)
    StopAfter.insert(S.Marker->getParent());
  SmallVector<BasicBlock *, 16> Work;
  for (SpawnPoint &S : P.Spawns)
    Work.push_back(S.Cont);
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (!P.SlowBlocks.insert(BB) || StopAfter.contains(BB))
      continue;
    if (auto *II = dyn_cast<InvokeInst>(BB->getTerminator()))
      Work.push_back(II->getNormalDest());
    else
      append_range(Work, successors(BB));
  }
}

/// The number of no region. Nothing is kept for it.
static constexpr unsigned NoRegion = NOPAL_ALL_REGIONS - 1;

/// True if the cleanups of \p Rest end in std::terminate, since the function is noexcept.
static bool isTerminated(BasicBlock *Rest) {
  SmallSetVector<BasicBlock *, 16> Work;
  Work.insert(Rest);
  for (unsigned I = 0; I < Work.size(); ++I) {
    if (analysis::endsInTerminate(*Work[I]))
      return true;
    // An exception of the cleanup itself is another.
    if (auto *II = dyn_cast<InvokeInst>(Work[I]->getTerminator()))
      Work.insert(II->getNormalDest());
    else
      Work.insert(succ_begin(Work[I]), succ_end(Work[I]));
  }
  return false;
}

/// The region that an exception in flight at the start of \p Rest leaves first: that of the first
/// sync in a cleanup. If a handler may come before, none: what it handles has left no region. If
/// std::terminate comes before, all: the program ends with the serially first exception of any
/// region.
static unsigned regionLeftBy(BasicBlock *Rest, const BlocksInFlight &InFlight) {
  unsigned Found = NoRegion;
  SmallSetVector<BasicBlock *, 16> Work;
  Work.insert(Rest);
  for (unsigned I = 0; I < Work.size(); ++I) {
    if (!InFlight.contains(Work[I]))
      return NoRegion;
    auto Sync = find_if(*Work[I], [](Instruction &Inst) { return isa<AnySyncMarker>(Inst); });
    if (Sync != Work[I]->end()) {
      Found = regionOf(cast<CallBase>(*Sync));
      continue;
    }
    for (BasicBlock *S : successors(Work[I]))
      Work.insert(S);
  }
  return Found == NoRegion && isTerminated(Rest) ? NOPAL_ALL_REGIONS : Found;
}

/// Gives each point its region, if there are several.
static void findRegions(SuspendPoints &P, const BlocksInFlight &InFlight) {
  for (auto *Throws : {&P.Throws, &P.FastThrows})
    for (ThrowPoint &T : *Throws)
      T.Region = P.SeveralRegions ? regionLeftBy(T.Unwind.Rest, InFlight) : NOPAL_ALL_REGIONS;
  for (auto *Syncs : {&P.Syncs, &P.FastSyncs})
    for (SyncPoint &S : *Syncs) {
      S.InFlight = InFlight.contains(S.Marker->getParent());
      S.Region = P.SeveralRegions ? regionOf(*S.Marker) : NOPAL_ALL_REGIONS;
    }
  for (SpawnPoint &S : P.Spawns)
    S.Region = P.SeveralRegions ? regionOf(*S.Marker) : NOPAL_ALL_REGIONS;
}

/// \p OneRegion: known from syncs that have been erased since.
static SuspendPoints normalizeFunction(Function &F, bool OneRegion) {
  SuspendPoints P;
  SmallVector<CallBase *, 8> Spawns, Syncs, Invokes;
  removeUnreachableBlocks(F);
  P.MayThrow = !F.doesNotThrow() || F.hasPersonalityFn();
  for (Instruction &I : instructions(F)) {
    if (isMarker(I, Marker::Spawn))
      Spawns.push_back(cast<CallBase>(&I));
    else if (isa<AnySyncMarker>(I))
      Syncs.push_back(cast<CallBase>(&I));
    else if (isa<InvokeInst>(I))
      Invokes.push_back(cast<CallBase>(&I));
  }
  BasicBlock *RaisingPad = nullptr;
  for (CallBase *&CB : Spawns) {
    auto *CI = dyn_cast<CallInst>(CB);
    if (!CI)
      continue;
    Function *Helper = cast<SpawnMarker>(CB)->helper();
    if (P.MayThrow && !CI->doesNotThrow() && !Helper->doesNotThrow()) {
      if (!RaisingPad)
        RaisingPad = createRaisingPad(F, CI->getDebugLoc());
      BasicBlock *BB = CI->getParent();
      changeToInvokeAndSplitBasicBlock(CI, RaisingPad);
      CB = cast<InvokeInst>(BB->getTerminator());
    } else {
      SplitBlock(CI->getParent(), std::next(CI->getIterator()));
    }
  }
  for (CallBase *CB : Syncs)
    if (isa<CallInst>(CB))
      SplitBlock(CB->getParent(), std::next(CB->getIterator()));

  DenseMap<CallBase *, Landing> Landings;
  separateLandingPads(F, Landings);
  auto EntryAfter = [](CallBase *CB) {
    if (auto *II = dyn_cast<InvokeInst>(CB))
      return ownNormalDest(II);
    return CB->getParent()->getSingleSuccessor();
  };
  for (CallBase *CB : Spawns)
    P.Spawns.push_back({CB, cast<SpawnMarker>(CB)->helper(), EntryAfter(CB), Landings.lookup(CB)});
  for (CallBase *CB : Syncs)
    P.Syncs.push_back({CB, EntryAfter(CB), Landings.lookup(CB)});

  for (CallBase *CB : Invokes)
    ownNormalDest(cast<InvokeInst>(CB));
  walkSlowBlocks(P);
  const BlocksInFlight InFlight = blocksInFlight(F);
  P.SeveralRegions =
      !OneRegion &&
      (any_of(Spawns, [&](CallBase *CB) { return regionOf(*CB) != regionOf(*Spawns.front()); }) ||
       any_of(Invokes, [&](CallBase *CB) {
         return P.SlowBlocks.contains(CB->getParent()) &&
                regionLeftBy(Landings.lookup(CB).Rest, InFlight) == NoRegion;
       }));
  // In a fast clone nothing is outstanding, so a sync that no slow clone can
  // reach waits for nothing; at most something is pending.
  bool Erased = false;
  erase_if(P.Syncs, [&](SyncPoint &S) {
    if (P.SlowBlocks.contains(S.Marker->getParent()))
      return false;
    if (P.SeveralRegions)
      P.FastSyncs.push_back(S);
    else {
      eraseMarker(*S.Marker);
      Erased = true;
    }
    return true;
  });
  // Blocks that only a handler of such a sync reached are gone, spawns included. So the function is
  // normalized anew.
  if (Erased && EliminateUnreachableBlocks(F))
    return normalizeFunction(F, /*OneRegion=*/true);
  for (CallBase *CB : Invokes)
    if (P.SlowBlocks.contains(CB->getParent()))
      P.Throws.push_back({cast<InvokeInst>(CB), Landings.lookup(CB)});
    else if (P.SeveralRegions)
      P.FastThrows.push_back({cast<InvokeInst>(CB), Landings.lookup(CB)});
  // No more than that: removeUnreachableBlocks() would also rewrite invokes and
  // blocks that the points name.
  EliminateUnreachableBlocks(F);
  findRegions(P, InFlight);
  const DominatorTree DT(F);
  const LoopInfo Loops(DT);
  for (SpawnPoint &S : P.Spawns)
    S.InLoop = Loops.getLoopFor(S.Marker->getParent());
  return P;
}

SuspendPoints split::normalize(Function &F) { return normalizeFunction(F, /*OneRegion=*/false); }
