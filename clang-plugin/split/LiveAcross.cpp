//===- LiveAcross.cpp - Values live across a suspend point ------------------===//
//
// See LiveAcross.h.
//
//===----------------------------------------------------------------------===//
#include "LiveAcross.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::split;

LiveAcross::LiveAcross(Function &F, const SuspendPoints &P) : F(F), P(P) {
  for (const SpawnPoint &S : P.Spawns)
    Live[S.Cont];
  for (const SyncPoint &S : P.Syncs) {
    Live[S.After];
    if (S.Unwind)
      Live[S.Unwind.Rest];
  }
  for (const SpawnPoint &S : P.Spawns)
    if (S.Unwind) {
      Live[S.Unwind.Rest];
      NotEntered.insert(S.Unwind.Rest);
    }
  for (const SpawnPoint &S : P.Spawns)
    if (S.Unwind && P.SlowBlocks.contains(S.Marker->getParent()))
      NotEntered.erase(S.Unwind.Rest);
  for (const ThrowPoint &T : P.Throws)
    Live[T.Unwind.Rest];
  computeLiveness();
  computeSharedAllocas();
  computeAvailability();
}

const ValueSet &LiveAcross::liveInto(BasicBlock *Entry) const {
  static const ValueSet Empty;
  auto It = Live.find(Entry);
  return It == Live.end() ? Empty : It->second;
}

/// Walks up from each use to the definition and notes the entries on the way.
void LiveAcross::computeLiveness() {
  auto Walk = [&](Value *V, BasicBlock *DefBlock) {
    SmallPtrSet<BasicBlock *, 16> LiveIn;
    SmallVector<BasicBlock *, 16> Work;
    auto AddLiveIn = [&](BasicBlock *BB) {
      if (BB != DefBlock && LiveIn.insert(BB).second)
        Work.push_back(BB);
    };
    for (Use &U : V->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (auto *Phi = dyn_cast<PHINode>(I))
        AddLiveIn(Phi->getIncomingBlock(U));
      else
        AddLiveIn(I->getParent());
    }
    while (!Work.empty())
      for (BasicBlock *Pred : predecessors(Work.pop_back_val()))
        AddLiveIn(Pred);
    for (BasicBlock *BB : LiveIn) // any order: each entry gets one value
      if (auto It = Live.find(BB); It != Live.end())
        It->second.insert(V);
  };
  for (Argument &A : F.args())
    Walk(&A, nullptr);
  for (Instruction &I : instructions(F)) {
    if (isa<LandingPadInst>(I))
      continue;
    if (auto *AI = dyn_cast<AllocaInst>(&I); AI && AI->isStaticAlloca())
      continue;
    Walk(&I, I.getParent());
  }
  for (auto &[Entry, Set] : Live)
    if (!NotEntered.contains(Entry))
      Values.insert(Set.begin(), Set.end());
  unsigned N = 1; // bit 0 is the header
  for (Value *V : Values)
    Index[V] = N++;
}

namespace {
/// How one alloca is used, its derived pointers included.
struct AllocaUses {
  SmallPtrSet<BasicBlock *, 8> Blocks;
  SmallPtrSet<BasicBlock *, 8> Escapes;
};
} // namespace

static AllocaUses collectUses(AllocaInst &AI) {
  AllocaUses Result;
  SmallVector<Instruction *, 8> Work{&AI};
  SmallPtrSet<Instruction *, 8> Seen{&AI};
  while (!Work.empty()) {
    Instruction *P = Work.pop_back_val();
    for (Use &U : P->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (I->isLifetimeStartOrEnd())
        continue;
      Result.Blocks.insert(I->getParent());
      if (auto *Phi = dyn_cast<PHINode>(I))
        Result.Blocks.insert(Phi->getIncomingBlock(U));
      if (isa<GetElementPtrInst, PHINode, SelectInst, AddrSpaceCastInst>(I)) {
        if (Seen.insert(I).second)
          Work.push_back(I);
        continue;
      }
      if (isa<LoadInst, ICmpInst, MemIntrinsic>(I))
        continue;
      if (isa<StoreInst>(I) && U.getOperandNo() == StoreInst::getPointerOperandIndex())
        continue;
      Result.Escapes.insert(I->getParent());
    }
  }
  return Result;
}

/// An alloca must be shared if it may be used after a spawn: one clone may continue what the other
/// began. If its address escapes before a spawn, any code may use it from then on.
void LiveAcross::computeSharedAllocas() {
  SmallPtrSet<BasicBlock *, 32> After, Before;
  SmallVector<BasicBlock *, 16> Work;
  for (const SpawnPoint &S : P.Spawns)
    append_range(Work, successors(S.Marker->getParent()));
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (After.insert(BB).second)
      append_range(Work, successors(BB));
  }
  for (const SpawnPoint &S : P.Spawns)
    Work.push_back(S.Marker->getParent());
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (Before.insert(BB).second)
      append_range(Work, predecessors(BB));
  }
  for (Instruction &I : F.getEntryBlock()) {
    auto *AI = dyn_cast<AllocaInst>(&I);
    if (!AI || !AI->isStaticAlloca())
      continue;
    const AllocaUses Uses = collectUses(*AI);
    auto InBefore = [&](BasicBlock *BB) { return Before.contains(BB); };
    auto InAfter = [&](BasicBlock *BB) { return After.contains(BB); };
    // Without optimization a debugger shows every variable, used or not. (Not just
    // what is declared to one: -g must not change code.)
    if (F.hasOptNone() || any_of(Uses.Escapes, InBefore) || any_of(Uses.Blocks, InAfter))
      Shared.insert(AI);
  }
}

/// Forward, any path: the values that may be missing in their slots at the end of a block. A
/// definition makes the value's slot stale, and a spawn puts the values that are live across it
/// into slots. Syncs store only in the slow clone, so they change nothing. Few values are missing
/// at a time, even where thousands have slots.
void LiveAcross::computeAvailability() {
  DenseMap<BasicBlock *, BasicBlock *> ContOf;
  for (const SpawnPoint &S : P.Spawns)
    ContOf[S.Marker->getParent()] = S.Cont;
  DenseMap<BasicBlock *, SmallVector<unsigned, 2>> Defined;
  Defined[&F.getEntryBlock()].push_back(0);
  for (Value *V : Values) {
    auto *I = dyn_cast<Instruction>(V);
    Defined[I ? I->getParent() : &F.getEntryBlock()].push_back(Index[V]);
  }
  auto AfterSpawn = [&](BasicBlock *BB) {
    SparseBitVector<> Out = Missing.lookup(BB);
    if (BasicBlock *Cont = ContOf.lookup(BB)) {
      Out.reset(0);
      for (Value *V : liveInto(Cont))
        Out.reset(Index[V]);
    }
    return Out;
  };
  ReversePostOrderTraversal<Function *> RPO(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : RPO) {
      SparseBitVector<> Now;
      for (BasicBlock *Pred : predecessors(BB))
        Now |= AfterSpawn(Pred);
      if (auto It = Defined.find(BB); It != Defined.end())
        for (unsigned I : It->second)
          Now.set(I);
      if (SparseBitVector<> &Known = Missing[BB]; Known != Now) {
        Known = std::move(Now);
        Changed = true;
      }
    }
  }
}

bool LiveAcross::isInSlotAfter(Value *V, BasicBlock *BB) const {
  auto It = Missing.find(BB);
  return It == Missing.end() || !It->second.test(Index.lookup(V));
}

bool LiveAcross::isEnteredBefore(BasicBlock *BB) const {
  auto It = Missing.find(BB);
  return It == Missing.end() || !It->second.test(0);
}
