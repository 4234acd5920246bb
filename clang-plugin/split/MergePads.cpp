//===- MergePads.cpp - One landing pad for calls with one handler ---------===//
//
// See MergePads.h.
//
//===----------------------------------------------------------------------===//
#include "MergePads.h"

#include "../contract/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

/// Pads with equal keys may be merged. A key is the successor, the values for its phis, whether the
/// pad is a cleanup, and its clauses. Null stands for the exception itself.
using PadKey = SmallVector<Value *, 8>;

/// The key of \p BB, if it consists of a landing pad and a branch.
static std::optional<PadKey> keyOf(BasicBlock &BB) {
  auto *Pad = dyn_cast<LandingPadInst>(&BB.front());
  auto *Br = Pad ? dyn_cast<BranchInst>(Pad->getNextNode()) : nullptr;
  if (!Br || Br->isConditional())
    return std::nullopt;
  BasicBlock *Successor = Br->getSuccessor(0);
  PadKey Key{Successor};
  for (PHINode &Phi : Successor->phis()) {
    Value *V = Phi.getIncomingValueForBlock(&BB);
    Key.push_back(V == Pad ? nullptr : V);
  }
  Key.push_back(Pad->isCleanup() ? Successor : nullptr);
  for (unsigned I = 0; I < Pad->getNumClauses(); ++I)
    Key.push_back(Pad->getClause(I));
  return Key;
}

/// Redirects the exceptions of \p From to \p To, and leaves \p From without predecessors.
static void redirect(BasicBlock &From, BasicBlock &To) {
  Instruction &Pad = To.front(), &Branch = To.back();
  Pad.applyMergedLocation(Pad.getDebugLoc(), From.front().getDebugLoc());
  Branch.applyMergedLocation(Branch.getDebugLoc(), From.back().getDebugLoc());
  for (Instruction &I : From)
    for (DbgRecord &R : make_early_inc_range(I.getDbgRecordRange())) {
      R.removeFromParent();
      To.insertDbgRecordBefore(&R, Branch.getIterator());
    }
  for (BasicBlock *Pred : SmallVector<BasicBlock *, 8>(predecessors(&From)))
    cast<InvokeInst>(Pred->getTerminator())->setUnwindDest(&To);
}

/// Merged pads need not agree on a variable that one of them describes.
static void forgetVariables(BasicBlock &BB) {
  for (Instruction &I : BB)
    for (DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange()))
      if (R.isDbgValue() || R.isDbgAssign())
        R.setKillLocation();
}

static bool mergePads(Function &F) {
  std::map<PadKey, BasicBlock *> Firsts; // only looked up: its order is never seen
  SmallSetVector<BasicBlock *, 8> Kept, Merged;
  for (BasicBlock &BB : F)
    if (std::optional<PadKey> Key = keyOf(BB))
      if (auto [It, IsNew] = Firsts.try_emplace(*Key, &BB); !IsNew) {
        redirect(BB, *It->second);
        Kept.insert(It->second);
        Merged.insert(&BB);
      }
  for (BasicBlock *BB : Kept)
    forgetVariables(*BB);
  SmallSetVector<BasicBlock *, 8> Successors;
  for (BasicBlock *BB : Merged)
    Successors.insert(BB->getSingleSuccessor());
  for (BasicBlock *BB : Successors)
    for (PHINode &Phi : BB->phis())
      Phi.removeIncomingValueIf(
          [&](unsigned I) { return Merged.contains(Phi.getIncomingBlock(I)); },
          /*DeletePHIIfEmpty=*/false);
  for (BasicBlock *BB : Merged)
    BB->eraseFromParent();
  return !Merged.empty();
}

PreservedAnalyses MergePadsPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function *F : callersOf(M, Marker::Spawn))
    if (!F->hasOptNone())
      Changed |= mergePads(*F);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
