//===- Frames.cpp - Where functions begin and end for the detector --------===//
//
// See Frames.h. Clang's pass and the serial lowering call at the beginning of each function. A path
// that neither accesses memory nor calls anything needs neither:
//
//   f:                                          f:
//     call @__tsan_func_entry(%return)            br %small, out.2, body
//     call @nopal_hook_enter(@f.hooks)          body:
//     br %small, out, body                        call @__nopal_race_enter(%return, @f, @f.hooks)
//   body:                                         ...
//     ...                               =>        br out
//     br out                                    out:
//   out:                                          call @__nopal_race_leave(@f.hooks)
//     call @nopal_hook_leave(@f.hooks)            ret
//     call @__tsan_func_exit()                  out.2:
//     ret                                         ret
//
// What runs before the calls belongs to the strand of the caller, and accesses nothing. Before
// that, the calls of a child go into the hooks of its spawn, and the call at the end takes the
// place of a sync:
//
//   call @nopal_hook_spawn(@site)               call @__nopal_race_spawn(@site, @f.spawn)
//   call @f.spawn(..)                     =>    call @f.spawn(..)    which has no such calls
//   call @nopal_hook_return(@site)              call @nopal_hook_return(@site)
//
// Tests: tests/pass/race-frames.ll, tests/race.
//
//===----------------------------------------------------------------------===//
#include "Frames.h"
#include "Locals.h"

#include "../contract/Attributes.h"
#include "../contract/HookCalls.h"
#include "nopal_race.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace nopal;

namespace {

/// What Clang's pass calls at the beginning of a function.
class EntryCall : public CallInst {
public:
  Value *returnAddress() const { return getArgOperand(0); }
  static bool classof(const Value *V) {
    return isa<CallInst>(V) && calleeName(*V) == "__tsan_func_entry";
  }
};

/// And at its end.
class ExitCall : public CallInst {
public:
  static bool classof(const Value *V) {
    return isa<CallInst>(V) && calleeName(*V) == "__tsan_func_exit";
  }
};

/// At the end of one that spawns, made here of the hook and the above.
class LeaveCall : public CallInst {
public:
  static bool classof(const Value *V) {
    return isa<CallInst>(V) && calleeName(*V) == "__nopal_race_leave";
  }
};

/// The calls of a function that begin and end its frame.
struct FrameCalls {
  EntryCall *Entry = nullptr;
  EnterHook *Enter = nullptr;            // of a function that spawns
  SmallVector<CallInst *, 4> Ends;       // __tsan_func_exit, nopal_hook_leave
  SmallVector<BasicBlock *, 16> Needing; // blocks that access memory or call something

  FrameCalls(Function &F, const DominatorTree &DT);
};

bool isEnd(const Instruction &I) { return isa<ExitCall, LeaveHook>(I); }

/// Neither accesses memory nor calls the detector's library.
bool isQuietCall(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && (II->isAssumeLikeIntrinsic() || II->getIntrinsicID() == Intrinsic::returnaddress);
}

FrameCalls::FrameCalls(Function &F, const DominatorTree &DT) {
  for (Instruction &I : instructions(F)) {
    if (!isa<CallBase>(I) || !DT.isReachableFromEntry(I.getParent()))
      continue;
    if (auto *Call = dyn_cast<EntryCall>(&I))
      Entry = Call;
    else if (auto *Hook = dyn_cast<EnterHook>(&I))
      Enter = Hook;
    else if (isEnd(I))
      Ends.push_back(cast<CallInst>(&I));
    else if (!isQuietCall(I))
      if (Needing.empty() || Needing.back() != I.getParent())
        Needing.push_back(I.getParent());
  }
}

/// The block that all of \p Blocks come after, and that is in no loop.
BasicBlock *blockBefore(ArrayRef<BasicBlock *> Blocks, DominatorTree &DT) {
  BasicBlock *Before = Blocks.front();
  for (BasicBlock *BB : Blocks)
    Before = DT.findNearestCommonDominator(Before, BB);
  const LoopInfo LI(DT);
  while (LI.getLoopFor(Before) || Before->isEHPad())
    Before = DT.getNode(Before)->getIDom()->getBlock();
  return Before;
}

bool hasMustTailCall(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    return Call && Call->isMustTailCall();
  });
}

class Placer {
public:
  explicit Placer(Function &F) : F(F), DT(F), Calls(F, DT) {}
  void run();

private:
  bool canBeginAt(BasicBlock &Begin) const;
  bool comesBefore(const BasicBlock &Begin, const BasicBlock &BB) const {
    return !DT.dominates(&Begin, &BB);
  }
  void separate(BasicBlock &Out, BasicBlock &Begin);
  void endAtSyncs();

  Function &F;
  DominatorTree DT;
  FrameCalls Calls;
};

/// \p Begin runs once. Each end comes after \p Begin, or on no path from it, or a copy of its block
/// can be made for the paths that do not come from it.
bool Placer::canBeginAt(BasicBlock &Begin) const {
  // A loop of two entries is none for LoopInfo.
  for (const BasicBlock *Next : successors(&Begin))
    if (isPotentiallyReachable(Next, &Begin, nullptr, &DT))
      return false;
  for (const CallInst *End : Calls.Ends) {
    const BasicBlock *Out = End->getParent();
    if (!comesBefore(Begin, *Out) || !isPotentiallyReachable(&Begin, Out, nullptr, &DT))
      continue;
    if (!isa<ReturnInst>(Out->getTerminator()) || Out->isEHPad())
      return false;
    for (const BasicBlock *Before : predecessors(Out))
      if (comesBefore(Begin, *Before) && (isPotentiallyReachable(&Begin, Before, nullptr, &DT) ||
                                          !isa<BranchInst, SwitchInst>(Before->getTerminator())))
        return false;
  }
  return true;
}

/// \p Out ends the function. The paths to it that do not come from \p Begin get a copy.
void Placer::separate(BasicBlock &Out, BasicBlock &Begin) {
  SmallSetVector<BasicBlock *, 8> Others;
  for (BasicBlock *Before : predecessors(&Out))
    if (comesBefore(Begin, *Before))
      Others.insert(Before);
  ValueToValueMapTy Map;
  BasicBlock *Copy = CloneBasicBlock(&Out, Map, ".other", &F);
  const RemapFlags Flags = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  for (Instruction &I : *Copy) {
    RemapDbgRecordRange(F.getParent(), I.getDbgRecordRange(), Map, Flags);
    RemapInstruction(&I, Map, Flags);
  }
  for (BasicBlock *Before : Others)
    Before->getTerminator()->replaceSuccessorWith(&Out, Copy);
  for (PHINode &Phi : Out.phis())
    Phi.removeIncomingValueIf([&](unsigned I) { return Others.contains(Phi.getIncomingBlock(I)); },
                              /*DeletePHIIfEmpty=*/false);
  for (PHINode &Phi : Copy->phis())
    Phi.removeIncomingValueIf([&](unsigned I) { return !Others.contains(Phi.getIncomingBlock(I)); },
                              /*DeletePHIIfEmpty=*/false);
  for (Instruction &I : make_early_inc_range(*Copy))
    if (isEnd(I))
      I.eraseFromParent();
}

/// Where nothing but the end of the function comes after a sync, the call at the end moves there:
/// it waits, too. What is between them is not reported.
void Placer::endAtSyncs() {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isa<SyncHook>(I))
      continue;
    Instruction *Next = I.getNextNode();
    while (Next && (!isa<CallBase>(Next) || isQuietCall(*Next))) {
      BasicBlock *BB = Next->getParent();
      BasicBlock *Only = Next->isTerminator() ? BB->getSingleSuccessor() : nullptr;
      if (Only && (Only->getSinglePredecessor() != BB || Only == I.getParent()))
        Only = nullptr;
      Next = Next->isTerminator() ? (Only ? &Only->front() : nullptr) : Next->getNextNode();
    }
    if (!Next || !isa<LeaveCall>(*Next))
      continue;
    Next->moveBefore(*I.getParent(), I.getIterator());
    I.eraseFromParent();
  }
}

/// What must hold at the end: on each path from the entry to a return or a resume there are either
/// all calls of the frame, in their order, or none.
void Placer::run() {
  if (!Calls.Entry || Calls.Needing.empty() || hasMustTailCall(F))
    return;
  BasicBlock *Begin = blockBefore(Calls.Needing, DT);
  if (!canBeginAt(*Begin))
    Begin = &F.getEntryBlock();
  const bool IsAtStart = Begin == &F.getEntryBlock();
  if (IsAtStart && !Calls.Enter)
    return;
  SmallVector<LeaveHook *, 4> Leaves;
  SmallPtrSet<BasicBlock *, 4> Mixed;
  for (CallInst *End : Calls.Ends) {
    BasicBlock *Out = End->getParent();
    const bool IsBefore = comesBefore(*Begin, *Out);
    if (IsBefore && !isPotentiallyReachable(Begin, Out, nullptr, &DT)) {
      End->eraseFromParent();
      continue;
    }
    if (IsBefore)
      Mixed.insert(Out);
    if (auto *Leave = dyn_cast<LeaveHook>(End))
      Leaves.push_back(Leave);
  }
  // In the order of the blocks, so that the same input gives the same output.
  SmallVector<BasicBlock *, 4> InOrder;
  for (BasicBlock &BB : F)
    if (Mixed.contains(&BB))
      InOrder.push_back(&BB);
  for (BasicBlock *Out : InOrder)
    separate(*Out, *Begin);

  Module &M = *F.getParent();
  IRBuilder<> B(M.getContext());
  if (IsAtStart)
    B.SetInsertPoint(Calls.Entry);
  else
    B.SetInsertPoint(Begin, Begin->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Calls.Entry->getDebugLoc());
  auto *Return = cast<Instruction>(Calls.Entry->returnAddress());
  Return->moveBefore(*B.GetInsertBlock(), B.GetInsertPoint());
  if (Calls.Enter)
    B.CreateCall(NOPAL_DECLARE(M, __nopal_race_enter), {Return, &F, Calls.Enter->site()});
  else
    B.CreateCall(NOPAL_DECLARE(M, __nopal_race_func_entry), {Return, &F});
  Calls.Entry->eraseFromParent();
  if (!Calls.Enter)
    return;
  Calls.Enter->eraseFromParent();
  for (LeaveHook *Leave : Leaves) {
    auto *Exit = dyn_cast_or_null<ExitCall>(Leave->getNextNode());
    if (!Exit)
      continue;
    B.SetInsertPoint(Exit);
    B.SetCurrentDebugLocation(Exit->getDebugLoc());
    B.CreateCall(NOPAL_DECLARE(M, __nopal_race_leave), {Leave->site()});
    Exit->eraseFromParent();
    Leave->eraseFromParent();
  }
  endAtSyncs();
}

} // namespace

void nopal::race::placeFrameCalls(Function &F) { Placer(F).run(); }

void nopal::race::foldChildFrames(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration() || !F.hasLocalLinkage() || !F.hasFnAttribute(HelperAttr))
      continue;
    SmallVector<SpawnHook *, 2> Spawns;
    for (const Use &U : F.uses()) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      SpawnHook *Spawn = Call && Call->isCallee(&U) ? spawnOf(*Call) : nullptr;
      if (!Spawn)
        break;
      Spawns.push_back(Spawn);
    }
    if (!F.hasNUses(Spawns.size()))
      continue;
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isa<EntryCall, ExitCall>(I))
        I.eraseFromParent();
    IRBuilder<> B(M.getContext());
    for (SpawnHook *Spawn : Spawns) {
      B.SetInsertPoint(Spawn);
      B.CreateCall(NOPAL_DECLARE(M, __nopal_race_spawn), {Spawn->site(), &F});
      Spawn->eraseFromParent();
    }
  }
}
