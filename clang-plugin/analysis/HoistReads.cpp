//===- HoistReads.cpp - Reads of the thread move out of loops -------------===//
//
// See HoistReads.h.
//
//===----------------------------------------------------------------------===//
#include "HoistReads.h"

#include "../contract/Markers.h"
#include "ThreadBound.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;

/// True if \p I may change what a read of the thread returns.
static bool mayChangeThread(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return I.isAtomic(); // another thread's stores may come before what follows
  if (const auto *II = dyn_cast<IntrinsicInst>(Call); II && II->isAssumeLikeIntrinsic())
    return false;
  return isModSet(Call->getMemoryEffects().getModRef(IRMemLocation::InaccessibleMem));
}

/// True if something was moved to \p L's preheader.
static bool hoistFrom(const Loop &L) {
  BasicBlock *Before = L.getLoopPreheader();
  SmallVector<Instruction *, 4> Reads;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (mayChangeThread(I))
        return false;
      if (isa<StrandMarker>(I) || isThreadBoundRead(I))
        Reads.push_back(&I);
    }
  if (!Before)
    return false;
  for (Instruction *Read : Reads) {
    Read->moveBefore(*Before, Before->getTerminator()->getIterator());
    Read->dropLocation();
  }
  return !Reads.empty();
}

PreservedAnalyses HoistReadsPass::run(Function &F, FunctionAnalysisManager &AM) {
  bool Changed = false;
  SmallVector<Loop *, 8> Loops = AM.getResult<LoopAnalysis>(F).getLoopsInPreorder();
  for (const Loop *L : reverse(Loops)) // the innermost first
    Changed |= hoistFrom(*L);
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}
