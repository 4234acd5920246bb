//===- LoopAccesses.cpp - What the iterations of a loop access ------------===//
//
// See LoopAccesses.h.
//
//===----------------------------------------------------------------------===//
#include "LoopAccesses.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::race;

bool race::hasOnlyPlainAccesses(const Instruction &I) {
  if (I.isVolatile() || I.isAtomic() || isa<FenceInst>(I))
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<DbgInfoIntrinsic>(I))
    return true;
  if (const auto *II = dyn_cast<IntrinsicInst>(&I); II && II->isAssumeLikeIntrinsic())
    return true;
  return Call->doesNotAccessMemory() && Call->doesNotThrow() && Call->willReturn();
}

bool race::isInstrumented(const Instruction &I) {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  if (!Pointer || Pointer->getType()->getPointerAddressSpace() != 0 ||
      I.hasMetadata(LLVMContext::MD_nosanitize))
    return false;
  const Value *Object = getUnderlyingObject(Pointer);
  const auto *Global = dyn_cast<GlobalVariable>(Object);
  return !isa<AllocaInst>(Object) && !(Global && Global->isConstant());
}

/// Whether \p L is entered only where it runs its body, ends at its latch alone, and has only plain
/// accesses.
static bool isReportable(const Loop &L) {
  if (!L.getLoopPreheader() || !L.getLoopLatch() || L.getExitingBlock() != L.getLoopLatch())
    return false;
  return all_of(L.blocks(), [](BasicBlock *BB) { return all_of(*BB, hasOnlyPlainAccesses); });
}

const SCEV *LoopAccesses::iterations(const Loop &L) {
  if (!isReportable(L))
    return nullptr;
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Taken) || SE.getTypeSizeInBits(Taken->getType()) > 64)
    return nullptr;
  return SE.getAddExpr(SE.getNoopOrZeroExtend(Taken, Size), SE.getOne(Size));
}

bool LoopAccesses::addGuards(Range &R, const Loop &L) const {
  SmallVector<Guard, 2> Found; // the innermost first
  for (BasicBlock *BB = R.Block; !DT.dominates(BB, L.getLoopLatch());) {
    BasicBlock *Above = DT.getNode(BB)->getIDom()->getBlock();
    if (!PDT.dominates(BB, Above)) {
      auto *Branch = dyn_cast<BranchInst>(Above->getTerminator());
      if (!Branch || !Branch->isConditional() || BB->getSinglePredecessor() != Above ||
          !L.isLoopInvariant(Branch->getCondition()))
        return false;
      Found.push_back({Branch->getCondition(), Branch->getSuccessor(0) == BB});
    }
    BB = Above;
  }
  R.Guards.insert(R.Guards.begin(), Found.rbegin(), Found.rend());
  return true;
}

/// moveBefore(), without the question whether the result can be computed there.
const SCEV *LoopAccesses::extendOver(Range &R, const Loop &L, const SCEV *Iterations) {
  for (const SCEV *Part : {R.Bytes, R.Stride, R.Count})
    if (Part && !SE.isLoopInvariant(Part, &L))
      return nullptr;
  for (const Guard &G : R.Guards)
    if (!L.isLoopInvariant(G.first))
      return nullptr;
  if (SE.isLoopInvariant(R.Start, &L))
    return SE.getZero(Size);
  const auto *Start = dyn_cast<SCEVAddRecExpr>(R.Start);
  if (!Start || Start->getLoop() != &L || !Start->isAffine())
    return nullptr;
  const SCEV *Step = SE.getNoopOrSignExtend(Start->getStepRecurrence(SE), Size);
  const SCEV *First = Start->getStart();
  if (R.Stride)
    return nullptr;
  const auto *Bytes = dyn_cast<SCEVConstant>(R.Bytes), *By = dyn_cast<SCEVConstant>(Step);
  const bool IsDense = Bytes && By && By->getAPInt().abs().ule(Bytes->getAPInt());
  const SCEV *Way = SE.getMulExpr(Step, SE.getMinusSCEV(Iterations, SE.getOne(Size)));
  if (Step == R.Bytes || (IsDense && By->getAPInt().isStrictlyPositive())) {
    R.Bytes = SE.getAddExpr(R.Bytes, Way);
  } else if (IsDense) {
    First = SE.getAddExpr(First, Way);
    R.Bytes = SE.getMinusSCEV(R.Bytes, Way);
  } else {
    R.Stride = Step;
    R.Count = Iterations;
  }
  R.Start = First;
  return Step;
}

const SCEV *LoopAccesses::moveBefore(Range &R, const Loop &L, const SCEV *Iterations) {
  const SCEV *Step = extendOver(R, L, Iterations);
  const Instruction *At = L.getLoopPreheader()->getTerminator();
  const bool CanExpand =
      Step && all_of(ArrayRef{R.Start, R.Bytes, R.Stride, R.Count}, [&](const SCEV *Part) {
        return !Part || Expander.isSafeToExpandAt(Part, At);
      });
  return CanExpand ? Step : nullptr;
}

/// Makes \p Former that of both, if they are neighbours or the same.
bool LoopAccesses::addTo(Range &Former, const Range &R) {
  const auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(R.Start, Former.Start));
  if (!Distance || Former.Guards != R.Guards)
    return false;
  const int64_t By = Distance->getAPInt().getSExtValue();
  const auto FormerBytes =
      static_cast<int64_t>(cast<SCEVConstant>(Former.Bytes)->getAPInt().getZExtValue());
  const auto Bytes = static_cast<int64_t>(cast<SCEVConstant>(R.Bytes)->getAPInt().getZExtValue());
  if (By == 0 && Bytes == FormerBytes) {
    if (R.How != Former.How) {
      Former.How = NOPAL_RACE_UPDATE;
      if (R.How != NOPAL_RACE_READ)
        Former.Where = R.Where;
    }
    return true;
  }
  const DILocation *A = Former.Where.get(), *B = R.Where.get();
  if (Former.How != R.How || !A || !B || A->getLine() != B->getLine() ||
      A->getScope() != B->getScope() || A->getInlinedAt() != B->getInlinedAt() ||
      By > FormerBytes || -By > Bytes)
    return false;
  if (By < 0)
    Former.Start = R.Start;
  Former.Bytes = SE.getConstant(
      Size, static_cast<uint64_t>(std::max(FormerBytes, By + Bytes) - std::min<int64_t>(0, By)));
  return true;
}

SmallVector<Range, 8> LoopAccesses::accessesOf(Loop &L, const SCEV *Iterations,
                                               SmallVectorImpl<Instruction *> &Covered) {
  SmallVector<Range, 8> Result;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (LI.getLoopFor(BB) != &L || !isInstrumented(I))
        continue;
      const TypeSize Bytes = DL.getTypeStoreSize(getLoadStoreType(&I));
      const SCEV *Start = SE.getSCEV(getLoadStorePointerOperand(&I));
      if (Bytes.isScalable() || isa<SCEVCouldNotCompute>(Start))
        continue;
      Range R{Start, SE.getConstant(Size, Bytes),
              isa<StoreInst>(I) ? NOPAL_RACE_WRITE : NOPAL_RACE_READ, I.getDebugLoc(), BB};
      if (!addGuards(R, L))
        continue;
      // Before the loop, or not at all: Clang's pass is cheaper in it.
      if (Range Moved = R; !moveBefore(Moved, L, Iterations))
        continue;
      Covered.push_back(&I);
      R.Block = L.getLoopLatch();
      if (none_of(Result, [&](Range &Former) { return addTo(Former, R); }))
        Result.push_back(R);
    }
  // Updates may be neighbours now.
  for (Range *R = Result.begin(); R != Result.end();)
    if (std::any_of(Result.begin(), R, [&](Range &Former) { return addTo(Former, *R); }))
      R = Result.erase(R);
    else
      ++R;
  return Result;
}
