//===- Frames.cpp - Where functions with spawns begin and end -------------===//
//
// See Frames.h.
//
//   f:                                          f:
//     call @nopal_hook_enter(@f.hooks)            br %small, out, body
//     br %small, out, body                      body:
//   body:                                         call @nopal_hook_enter(@f.hooks)
//     call @nopal_hook_spawn(..)                  call @nopal_hook_spawn(..)
//     ..                               =>         ..
//     call @nopal_hook_sync(@f.hooks)             call @nopal_hook_sync(@f.hooks)
//     br out                                      call @nopal_hook_leave(@f.hooks)
//   out:                                          br out
//     call @nopal_hook_leave(@f.hooks)          out:
//     ret                                         ret
//
// The code before and after belongs to the strand of the caller, and so does what it calls.
//
//===----------------------------------------------------------------------===//
#include "Frames.h"

#include "../contract/HookCalls.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace nopal;

namespace {

struct FrameHooks {
  EnterHook *Enter = nullptr;
  SmallVector<LeaveHook *, 4> Leaves;
  SmallVector<Instruction *, 8> Inner; // spawns and syncs

  explicit FrameHooks(Function &F) {
    for (Instruction &I : instructions(F)) {
      if (auto *Hook = dyn_cast<EnterHook>(&I))
        Enter = Hook;
      else if (auto *Leave = dyn_cast<LeaveHook>(&I))
        Leaves.push_back(Leave);
      else if (isa<SpawnHook, ReturnHook, SyncHook>(I))
        Inner.push_back(&I);
    }
  }
};

using Edge = std::pair<BasicBlock *, BasicBlock *>;

/// The block that all of \p Inner come after, and that runs at most once; null if it is the entry.
BasicBlock *firstBlock(ArrayRef<Instruction *> Inner, const DominatorTree &DT) {
  BasicBlock *First = Inner.front()->getParent();
  for (Instruction *I : Inner)
    First = DT.findNearestCommonDominator(First, I->getParent());
  auto MayRunAgain = [&] {
    return First->isEHPad() || any_of(successors(First), [&](BasicBlock *Next) {
             return isPotentiallyReachable(Next, First, nullptr, &DT);
           });
  };
  while (First && MayRunAgain()) {
    const DomTreeNode *Before = DT.getNode(First)->getIDom();
    First = Before ? Before->getBlock() : nullptr;
  }
  return First && !First->isEntryBlock() ? First : nullptr;
}

/// Where control goes on from what \p First dominates to what it does not; none if a hook can not
/// be put there.
std::optional<SmallVector<Edge, 4>> edgesOut(Function &F, BasicBlock &First,
                                             const DominatorTree &DT) {
  SmallVector<Edge, 4> Edges;
  for (BasicBlock &BB : F) {
    if (!DT.isReachableFromEntry(&BB) || !DT.dominates(&First, &BB))
      continue;
    for (BasicBlock *Next : successors(&BB)) {
      if (DT.dominates(&First, Next))
        continue;
      if (Next->isEHPad() || !isa<BranchInst, SwitchInst, InvokeInst>(BB.getTerminator()))
        return std::nullopt;
      if (!is_contained(Edges, Edge(&BB, Next)))
        Edges.emplace_back(&BB, Next);
    }
  }
  return Edges;
}

} // namespace

void nopal::span::placeFrameHooks(Function &F) {
  const FrameHooks Hooks(F);
  if (!Hooks.Enter || Hooks.Inner.empty())
    return;
  DominatorTree DT(F);
  BasicBlock *First = firstBlock(Hooks.Inner, DT);
  if (!First)
    return;
  const auto Edges = edgesOut(F, *First, DT);
  if (!Edges)
    return;
  Value *Site = Hooks.Enter->site();
  for (LeaveHook *Leave : Hooks.Leaves)
    if (!DT.dominates(First, Leave->getParent()))
      Leave->eraseFromParent();
  for (auto [From, To] : *Edges) {
    BasicBlock *Between = SplitEdge(From, To, &DT);
    IRBuilder<> B(Between->getTerminator());
    B.SetCurrentDebugLocation(Hooks.Enter->getDebugLoc());
    LeaveHook::create(B, Site);
  }
  // Before the first hook of the block, or at its end.
  Instruction *At = First->getTerminator();
  for (Instruction &I : *First)
    if (isa<SpawnHook, ReturnHook, SyncHook, LeaveHook>(I)) {
      At = &I;
      break;
    }
  Hooks.Enter->moveBefore(*At->getParent(), At->getIterator());
}
