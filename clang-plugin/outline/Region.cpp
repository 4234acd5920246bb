//===- Region.cpp - What belongs to one spawned statement -----------------===//
//
// See Region.h.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include "../analysis/Functions.h"
#include "../contract/Markers.h"
#include "../contract/Serial.h"
#include "SpawnedCalls.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::outline;

/// Whether \p I is a begin marker. Sets the kind of \p R.
static bool isBegin(const Instruction &I, Region &R) {
  R.IsLoop = isa<LoopBeginMarker>(I);
  R.IsBlock = R.IsLoop || isa<BlockBeginMarker>(I);
  return R.IsBlock || isa<BeginMarker>(I);
}

/// Successors without the unwind edges of invokes.
static void appendNormalSuccessors(BasicBlock *BB, SmallVectorImpl<BasicBlock *> &Out) {
  Instruction *T = BB->getTerminator();
  if (auto *II = dyn_cast<InvokeInst>(T)) {
    Out.push_back(II->getNormalDest());
    return;
  }
  append_range(Out, successors(BB));
}

/// Adds all blocks reachable from \p From without entering \p Stop.
static void reach(ArrayRef<BasicBlock *> From, const BlockSet &Stop, bool NormalOnly,
                  BlockSet &Result) {
  SmallVector<BasicBlock *, 16> Work(From.begin(), From.end());
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (Stop.contains(BB) || !Result.insert(BB))
      continue;
    if (NormalOnly)
      appendNormalSuccessors(BB, Work);
    else
      append_range(Work, successors(BB));
  }
}

/// The landing pads of the invokes in \p Blocks.
static SmallVector<BasicBlock *, 8> unwindDests(const BlockSet &Blocks) {
  SmallVector<BasicBlock *, 8> Result;
  for (BasicBlock *BB : Blocks)
    if (auto *II = dyn_cast<InvokeInst>(BB->getTerminator()))
      Result.push_back(II->getUnwindDest());
  return Result;
}

/// Where Clang sends an exception that leaves a destructor while another one
/// unwinds: a function has one such pad, for the parent's cleanups and the child's.
static bool isTerminatePad(const BasicBlock *BB) {
  return BB->isLandingPad() && analysis::endsInTerminate(*BB);
}

/// The blocks that are reachable from the begin marker's landing pad belong to the parent. The next
/// execution of the statement does not, since it comes through the begin marker. Nor does a
/// terminate pad, unless the child's own exception goes there (in a noexcept function). An
/// exception that the helper raised instead would reach the parent's handlers.
static BlockSet sharedBlocks(const CallBase &Begin) {
  BlockSet Again, Shared;
  Again.insert(const_cast<BasicBlock *>(Begin.getParent()));
  const auto *II = dyn_cast<InvokeInst>(&Begin);
  if (!II)
    return Shared;
  BasicBlock *Pad = II->getUnwindDest();
  reach(Pad, Again, /*NormalOnly=*/false, Shared);
  Shared.remove_if([=](BasicBlock *BB) { return BB != Pad && isTerminatePad(BB); });
  return Shared;
}

Instruction *outline::findEnd(Region &R) {
  const uint64_t Id = numberOf(R.Begin->id());
  const Marker Ending = R.IsCalled ? Marker::RegionEnd : R.IsLoop ? Marker::LoopEnd : Marker::End;
  // Perhaps only the child's own handlers lead to the end, so unwind edges count, up to the
  // parent's blocks.
  const BlockSet Shared = sharedBlocks(*R.Begin);
  Instruction *Contained = nullptr;
  R.End = nullptr;
  SmallPtrSet<BasicBlock *, 16> Seen;
  SmallVector<BasicBlock::iterator, 16> Work;
  if (auto *II = dyn_cast<InvokeInst>(R.Begin))
    Work.push_back(II->getNormalDest()->begin());
  else
    Work.push_back(std::next(R.Begin->getIterator()));
  while (!Work.empty()) {
    BasicBlock::iterator It = Work.pop_back_val();
    BasicBlock *BB = It->getParent();
    bool Ended = false;
    for (auto E = BB->end(); It != E && !Ended; ++It) {
      if (Region Inner; isBegin(*It, Inner)) {
        Contained = &*It;
        if (!R.IsCalled)
          return Contained; // it becomes a function first
      }
      if (isMarker(*It, Ending) && numberOf(cast<AnyEndMarker>(*It).id()) == Id) {
        R.End = cast<CallInst>(&*It);
        Ended = true;
      } else if (auto *CB = dyn_cast<CallBase>(&*It)) {
        if (!R.IsBlock && isSpawned(*CB))
          R.Spawned = CB;
      }
    }
    if (Ended)
      continue;
    for (BasicBlock *S : successors(BB))
      if (!Shared.contains(S) && Seen.insert(S).second)
        Work.push_back(S->begin());
  }
  return Contained;
}

Regions::Regions(Function &F) {
  for (Instruction &I : instructions(F))
    if (Region R; isBegin(I, R))
      Begins.push_back(&I);
}

bool Regions::isInnermost(Around &A, Region &Result) {
  if (A.Inner || !A.Begin)
    return false;
  Region R;
  R.Begin = cast<AnyBeginMarker>(static_cast<Value *>(A.Begin));
  isBegin(*R.Begin, R);
  A.Inner = findEnd(R);
  if (A.Inner)
    return false;
  Result = R;
  return true;
}

bool Regions::next(Region &Result) {
  // The region around the last one may contain no other.
  if (!Outer.empty() && isInnermost(Outer.back(), Result)) {
    Outer.pop_back();
    return true;
  }
  while (Next < Begins.size()) {
    Around A{Begins[Next++], {}};
    if (isInnermost(A, Result))
      return true;
    if (A.Begin)
      Outer.push_back(A);
  }
  for (unsigned I = Outer.size(); I-- > 0;)
    if (isInnermost(Outer[I], Result)) {
      Outer.erase(Outer.begin() + I);
      return true;
    }
  return false;
}

void Region::carve() {
  // Give the begin marker, a call or an invoke, a block of the parent's after it.
  if (auto *II = dyn_cast<InvokeInst>(Begin)) {
    ParentStart = II->getNormalDest();
    if (!ParentStart->getSinglePredecessor())
      ParentStart = SplitEdge(II->getParent(), ParentStart);
  } else {
    ParentStart = SplitBlock(Begin->getParent(), std::next(Begin->getIterator()));
  }
  if (End) {
    EndBlock = SplitBlock(End->getParent(), End->getIterator());
  } else { // left by exceptions alone
    EndBlock = analysis::createNever(*Begin->getFunction());
  }
  ChildStart = IsBlock ? ParentStart : SplitBlock(Spawned->getParent(), Spawned->getIterator());
  // A block region may begin and end in one block: SplitBlock keeps the upper
  // part in place, so ParentStart is still right.
  BlockSet None, AtChild, AtEnd;
  AtChild.insert(ChildStart);
  AtEnd.insert(EndBlock);
  if (!IsBlock)
    reach(ParentStart, AtChild, /*NormalOnly=*/true, Parent);
  Shared = sharedBlocks(*Begin);
  reach(unwindDests(Parent), Shared, /*NormalOnly=*/false, ParentPads);
  reach(ChildStart, AtEnd, /*NormalOnly=*/true, Child);
  BlockSet Stop = Shared;
  Stop.insert(EndBlock);
  BlockSet ChildPads;
  reach(unwindDests(Child), Stop, /*NormalOnly=*/false, ChildPads);
  Child.insert(ChildPads.begin(), ChildPads.end());
  if (!IsCalled)
    return;
  BlockSet Later;
  reach(ParentStart, None, /*NormalOnly=*/false, Later);
  Repeats = Later.contains(Begin->getParent());
}

/// True if a path from the start of \p From inside \p Within (null: the whole function) reaches a
/// load of \p AI before a store.
static bool isLoadedFrom(const AllocaInst &AI, BasicBlock *From, const BlockSet *Within) {
  SmallPtrSet<BasicBlock *, 32> Seen;
  SmallVector<BasicBlock *, 32> Work{From};
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if ((Within && !Within->contains(BB)) || !Seen.insert(BB).second)
      continue;
    bool Stored = false;
    for (Instruction &I : *BB) {
      if (auto *LI = dyn_cast<LoadInst>(&I); LI && LI->getPointerOperand() == &AI)
        return true;
      if (auto *SI = dyn_cast<StoreInst>(&I); SI && SI->getPointerOperand() == &AI) {
        Stored = true;
        break;
      }
    }
    if (!Stored)
      append_range(Work, successors(BB));
  }
  return false;
}

/// Whether all uses are plain loads and stores of the whole variable, so no other code can know it.
static bool isScalarVariable(const AllocaInst &AI) {
  return all_of(AI.users(), [&](const User *U) {
    if (const auto *LI = dyn_cast<LoadInst>(U))
      return LI->isSimple() && LI->getType() == AI.getAllocatedType();
    if (const auto *SI = dyn_cast<StoreInst>(U))
      return SI->isSimple() && SI->getPointerOperand() == &AI &&
             SI->getValueOperand()->getType() == AI.getAllocatedType();
    return isa<LifetimeIntrinsic>(U) || isa<AnyStorageMarker>(U);
  });
}

/// Whether Clang may have made \p AI to say where the function goes on after a cleanup: it is set
/// to numbers, and only switches, of which none may be left, read it.
static bool isCleanupSlot(const AllocaInst &AI) {
  return all_of(AI.users(), [](const User *U) {
    if (const auto *SI = dyn_cast<StoreInst>(U))
      return isa<Constant>(SI->getValueOperand());
    return !isa<LoadInst>(U) || all_of(U->users(), IsaPred<SwitchInst>);
  });
}

/// Whether a marker of type \p View with the id of \p Begin names \p AI.
template <class View> static bool isMarked(const AllocaInst &AI, const AnyBeginMarker &Begin) {
  return any_of(AI.users(), [&](const User *U) {
    const auto *Said = dyn_cast<View>(U);
    return Said && numberOf(Said->id()) == numberOf(Begin.id());
  });
}

/// Whether control can reach \p Begin again before a sync of its region, so two of its children may
/// run at once.
static bool repeatsUnsynced(const AnyBeginMarker &Begin) {
  auto IsSync = [&](const Instruction &I) {
    const auto *Sync = dyn_cast<SyncMarker>(&I);
    return Sync && Sync->region() == Begin.region();
  };
  BlockSet Reached;
  SmallVector<BasicBlock *, 16> Work{const_cast<BasicBlock *>(Begin.getParent())};
  for (bool First = true; !Work.empty(); First = false) {
    BasicBlock *BB = Work.pop_back_val();
    if (First || (!Reached.contains(BB) && none_of(*BB, IsSync)))
      append_range(Work, successors(BB));
    if (!First)
      Reached.insert(BB);
  }
  return Reached.contains(const_cast<BasicBlock *>(Begin.getParent()));
}

/// Whether lifetime markers show that the life of \p AI begins only in \p Blocks.
static bool beginsToLiveIn(const AllocaInst &AI, const BlockSet &Blocks) {
  bool Begins = false;
  for (const User *U : AI.users()) {
    const auto *II = dyn_cast<IntrinsicInst>(U);
    if (!II || II->getIntrinsicID() != Intrinsic::lifetime_start)
      continue;
    if (!Blocks.contains(const_cast<BasicBlock *>(II->getParent())))
      return false;
    Begins = true;
  }
  return Begins;
}

int outline::exceptionVariable(const AllocaInst &AI) {
  for (const User *U : AI.users()) {
    const auto *SI = dyn_cast<StoreInst>(U);
    const auto *EV = SI ? dyn_cast<ExtractValueInst>(SI->getValueOperand()) : nullptr;
    if (EV && isa<LandingPadInst>(EV->getAggregateOperand()))
      return EV->getIndices()[0];
  }
  return -1;
}

Storage Region::classify(const AllocaInst &AI) const {
  if (exceptionVariable(AI) >= 0)
    return Storage::Helper;
  bool InParent = false, InParentPads = false;
  // A C literal lives until its block ends. If several executions may run at once, each has its
  // own, which lives as long as the child.
  bool Outside = isMarked<OuterMarker>(AI, *Begin) ||
                 (isMarked<LiteralMarker>(AI, *Begin) && !repeatsUnsynced(*Begin));
  bool ChildStores = false;
  SmallVector<const User *, 16> Work(AI.users());
  while (!Work.empty()) {
    const User *U = Work.pop_back_val();
    if (isa<GetElementPtrInst, AddrSpaceCastInst>(U))
      append_range(Work, U->users());
    if (cast<Instruction>(U)->isLifetimeStartOrEnd() || isa<AnyStorageMarker>(U))
      continue; // with optimization they stand around the statement
    auto *BB = const_cast<BasicBlock *>(cast<Instruction>(U)->getParent());
    const bool C = Child.contains(BB), P = Parent.contains(BB), PP = ParentPads.contains(BB);
    InParent |= P;
    InParentPads |= PP;
    Outside |= !C && !P && !PP;
    ChildStores |= C && isa<StoreInst>(U);
  }
  // A scalar that carries nothing into the child or out of it: each side has its own. Examples are
  // the slots of the exception and of a cleanup's destination, which the whole function shares.
  // The race detector is told of each access of a variable that a child and its parent use.
  auto *Invoke = dyn_cast<InvokeInst>(Begin);
  const bool IsTold =
      !IsLoop && !IsCalled && Outside && isChecked(*AI.getModule()) && !isCleanupSlot(AI);
  if (!IsTold && isScalarVariable(AI) && !isLoadedFrom(AI, ChildStart, &Child) &&
      (!(Outside || InParent || InParentPads) ||
       (!isLoadedFrom(AI, EndBlock, nullptr) &&
        !(Invoke && isLoadedFrom(AI, Invoke->getUnwindDest(), nullptr)))))
    return Storage::Helper;
  // The function waits for its loop or region. So a variable that only the function itself can
  // write, and that the leaf or region does not write, does not change meanwhile.
  if ((IsLoop || (IsCalled && Outside)) && isScalarVariable(AI) && !ChildStores)
    return Storage::Value;
  if (Outside)
    return Storage::Parent;
  // A region has one execution at a time, so the function's own storage is always right for it.
  // That storage is needed if a value may stay there from one execution to the next.
  if (IsCalled)
    return !Repeats || beginsToLiveIn(AI, Child) ? Storage::Helper : Storage::Parent;
  if (!InParent && !InParentPads)
    return Storage::Helper;
  if (isScalarVariable(AI) && !ChildStores)
    return Storage::Value;
  return InParentPads ? Storage::PrivateHeap : Storage::Private;
}
