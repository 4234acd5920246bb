//===- Privates.cpp - Private temporaries of children ---------------------===//
//
// See Privates.h.
//
//===----------------------------------------------------------------------===//
#include "Privates.h"
#include "Splitter.h"

#include "../contract/Markers.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::split;

/// Whether one of \p Values is \p V, or is computed from it without a call or memory.
static bool reachesAnyOf(Value *V, const ValueSet &Values) {
  SmallVector<Value *, 8> Work{V};
  SmallPtrSet<Value *, 8> Seen{V};
  while (!Work.empty()) {
    Value *Next = Work.pop_back_val();
    if (Values.contains(Next))
      return true;
    for (User *U : Next->users())
      if (!isa<CallBase, LoadInst, StoreInst>(U) && Seen.insert(U).second)
        Work.push_back(U);
  }
  return false;
}

AllocaInst *split::allocaFor(CallBase &CB) {
  const auto &Private = cast<PrivateMarker>(CB);
  BasicBlock &Entry = CB.getFunction()->getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  B.SetCurrentDebugLocation(DebugLoc());
  AllocaInst *AI = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), numberOf(Private.bytes())));
  AI->setAlignment(Align(numberOf(Private.alignment())));
  AI->takeName(&CB);
  return AI;
}

/// A "tail" call uses no alloca of its function. The optimizer set that mark when markers stood
/// where allocas are now.
static void forgetTailCalls(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *CI = dyn_cast<CallInst>(&I); CI && CI->getTailCallKind() == CallInst::TCK_Tail)
      CI->setTailCallKind(CallInst::TCK_None);
}

bool split::lowerIdlePrivates(Module &M) {
  bool Changed = false;
  if (Function *Private = declarationOf(M, Marker::Private))
    for (User *U : make_early_inc_range(Private->users()))
      if (auto *CB = dyn_cast<CallBase>(U)) {
        forgetTailCalls(*CB->getFunction());
        CB->replaceAllUsesWith(allocaFor(*CB));
        eraseMarker(*CB);
        Changed = true;
      }
  return Changed;
}

/// Each __nopal_private becomes an alloca, a separate one in every activation. One whose address is
/// live across a suspend point stays a value for now: an inlined constructor may throw in a slow
/// clone, and the cleanup is in the fast one.
void Splitter::lowerPrivates() {
  bool HasAny = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isMarker(I, Marker::Private))
      continue;
    HasAny = true;
    auto &CB = cast<CallBase>(I);
    if (reachesAnyOf(&CB, X->values())) {
      CB.setDoesNotThrow();
      Kept.push_back({&CB, {}});
      auto NoteIfLive = [&](BasicBlock *Entry, unsigned Resume) {
        if (reachesAnyOf(&CB, X->liveInto(Entry)))
          Kept.back().NeededAt.insert(Resume);
      };
      for (auto [Entry, Resume] : ResumeAt)
        NoteIfLive(Entry, Resume);
      for (SyncPoint &S : P.Syncs)
        if (S.Unwind)
          NoteIfLive(S.Unwind.Rest, ResumeAt[S.After]);
      continue;
    }
    CB.replaceAllUsesWith(allocaFor(CB));
    CB.eraseFromParent();
  }
  if (HasAny)
    forgetTailCalls(F);
}
