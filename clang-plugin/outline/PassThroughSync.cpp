//===- PassThroughSync.cpp - Syncs in try blocks without spawns -----------===//
//
// See PassThroughSync.h. Three markers give three places. An exception that leaves the try
// statement continues at the pad of the marker before it (P). The pad of the marker that begins the
// try block leads straight to the handlers (D), since nothing is constructed there yet. So the code
// between a sync's pad (S) and D consists of the cleanups between the sync and the handlers. It is
// copied.
//
//   before                              after
//   ------                              -----
//   invoke try_begin . . . . pad P      invoke sync . . . . . . pad S'
//   invoke try_body  . . . . pad B
//   invoke pass_through_sync  . . pad S
//
//   pad P:                              pad P: as before
//     store the exception ; br X
//   pad B:                              pad S': (clauses of P)
//     store the exception ; br D          store the exception ; cleanups'
//   pad S:                                br outside
//     store the exception ; cleanups    outside:
//     br D                                store the exception ; br X
//   D: handlers of the try block
//   X: the code around it
//
// Without a pad P the exception leaves the function: `outside` resumes it. If the try statement is
// nested in another such statement, X consists of the cleanups on the way to the outer handlers.
// They are copied too, and so on from the inside out.
//
//===----------------------------------------------------------------------===//
#include "PassThroughSync.h"

#include "../contract/Markers.h"
#include "../contract/Refusal.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::outline;

namespace {

/// A try statement whose handlers are bypassed.
struct TryStatement {
  CallBase *Begin = nullptr, *Body = nullptr;
  unsigned Around = 0; ///< the enclosing one; 0: none

  /// Where an exception that leaves it continues; null if it leaves the function.
  BasicBlock *pad() const {
    auto *II = dyn_cast<InvokeInst>(Begin);
    return II ? II->getUnwindDest() : nullptr;
  }
  /// The handlers; null if they are not where Clang puts them.
  BasicBlock *handlers() const {
    auto *II = dyn_cast_or_null<InvokeInst>(Body);
    return II ? II->getUnwindDest()->getSingleSuccessor() : nullptr;
  }
};

/// The try statements of one function, and the syncs in them.
class TryStatements {
public:
  explicit TryStatements(Function &F);
  void run();

private:
  using Chain = SmallVector<const TryStatement *, 4>;
  bool findChain(unsigned Id, Chain &Result) const;
  void raiseAround(InvokeInst *II, const Chain &Around);

  Function &F;
  MapVector<unsigned, TryStatement> Found;
  SmallVector<PassThroughSyncMarker *, 4> Syncs;
};

} // namespace

TryStatements::TryStatements(Function &F) : F(F) {
  for (Instruction &I : instructions(F)) {
    if (auto *Begin = dyn_cast<TryBeginMarker>(&I)) {
      TryStatement &T = Found[numberOf(Begin->id())];
      T.Begin = Begin;
      T.Around = numberOf(Begin->around());
    } else if (auto *Body = dyn_cast<TryBodyMarker>(&I)) {
      Found[numberOf(Body->id())].Body = Body;
    } else if (auto *Sync = dyn_cast<PassThroughSyncMarker>(&I)) {
      Syncs.push_back(Sync);
    }
  }
}

/// Whether no other block uses what \p Pad computes, since Clang passes exceptions through memory.
static bool isReplaceable(BasicBlock *Pad) {
  return none_of(*Pad, [=](Instruction &I) { return I.isUsedOutsideOfBlock(Pad); }) &&
         none_of(successors(Pad), [](BasicBlock *S) { return isa<PHINode>(S->begin()); });
}

/// The try statements around a sync in \p Id, from the innermost outwards; false if one does not
/// have the shape that Clang emits.
bool TryStatements::findChain(unsigned Id, Chain &Result) const {
  while (Id) {
    auto It = Found.find(Id);
    if (It == Found.end() || !It->second.Begin || !It->second.handlers())
      return false;
    const TryStatement &T = It->second;
    if (BasicBlock *Pad = T.pad(); Pad ? !isReplaceable(Pad) : T.Around != 0)
      return false;
    Result.push_back(&T);
    Id = T.Around;
  }
  return true;
}

/// Copies \p Pad and, if \p Handlers are given, the cleanups on the way there. The pad comes first.
static SmallVector<BasicBlock *, 8> copyCleanups(BasicBlock *Pad, BasicBlock *Handlers) {
  SmallSetVector<BasicBlock *, 8> Cleanups;
  Cleanups.insert(Pad);
  for (unsigned I = 0; Handlers && I < Cleanups.size(); ++I) {
    auto *II = dyn_cast<InvokeInst>(Cleanups[I]->getTerminator());
    for (BasicBlock *S : successors(Cleanups[I]))
      if (S != Handlers && (!II || S == II->getNormalDest()))
        Cleanups.insert(S);
  }
  ValueToValueMapTy VMap;
  SmallVector<BasicBlock *, 8> Copies;
  for (BasicBlock *BB : Cleanups) {
    Copies.push_back(CloneBasicBlock(BB, VMap, ".outside", Pad->getParent()));
    VMap[BB] = Copies.back();
  }
  remapInstructionsInBlocks(Copies, VMap);
  return Copies;
}

/// Gives \p II a pad of its own, which bypasses the handlers of \p Around.
void TryStatements::raiseAround(InvokeInst *II, const Chain &Around) {
  BasicBlock *Handlers = Around.front()->handlers();
  SmallVector<BasicBlock *, 8> Copies = copyCleanups(II->getUnwindDest(), Handlers);
  II->setUnwindDest(Copies.front());
  LandingPadInst *Old = Copies.front()->getLandingPadInst();
  BasicBlock *Last = Around.back()->pad();
  const LandingPadInst *Next = Last ? Last->getLandingPadInst() : nullptr;
  LandingPadInst *LP = LandingPadInst::Create(Old->getType(), Next ? Next->getNumClauses() : 0, "",
                                              Old->getIterator());
  LP->setDebugLoc(Old->getDebugLoc());
  LP->setCleanup(true);
  for (unsigned I = 0; Next && I < Next->getNumClauses(); ++I)
    LP->addClause(Next->getClause(I));
  Old->replaceAllUsesWith(LP);
  Old->eraseFromParent();

  for (unsigned I = 0; I < Around.size(); ++I) {
    BasicBlock *Pad = Around[I]->pad();
    BasicBlock *NextHandlers = I + 1 < Around.size() ? Around[I + 1]->handlers() : nullptr;
    SmallVector<BasicBlock *, 8> Further;
    if (Pad) {
      Further = copyCleanups(Pad, NextHandlers);
      LandingPadInst *Again = Further.front()->getLandingPadInst();
      Again->replaceAllUsesWith(LP);
      Again->eraseFromParent();
    } else {
      Further = {BasicBlock::Create(F.getContext(), "outside", &F)};
      ResumeInst::Create(LP, Further.front())->setDebugLoc(LP->getDebugLoc());
    }
    for (BasicBlock *BB : Copies)
      BB->getTerminator()->replaceSuccessorWith(Handlers, Further.front());
    Copies = Further;
    Handlers = NextHandlers;
  }
}

void TryStatements::run() {
  for (PassThroughSyncMarker *Sync : Syncs) {
    Chain Around;
    auto *II = dyn_cast<InvokeInst>(static_cast<CallBase *>(Sync)); // a call: without exceptions
    if (II && findChain(numberOf(Sync->id()), Around))
      raiseAround(II, Around);
    else if (II)
      refuse(F, Refusal::PassThroughSync, II->getDebugLoc());
  }
  for (PassThroughSyncMarker *Sync : Syncs)
    replaceMarker(*Sync, Marker::Sync, Sync->region().get());
  for (auto &[Id, T] : Found)
    for (CallBase *CB : {T.Begin, T.Body})
      if (CB)
        eraseMarker(*CB);
  removeUnreachableBlocks(F);
}

bool outline::lowerPassThroughSyncs(Module &M) {
  const auto Functions = callersOf(M, {Marker::TryBegin, Marker::TryBody, Marker::PassThroughSync});
  for (Function *F : Functions) {
    // A label keeps dead code alive, but not the begin marker of a try statement around it.
    EliminateUnreachableBlocks(*F);
    TryStatements(*F).run();
  }
  return !Functions.empty();
}
