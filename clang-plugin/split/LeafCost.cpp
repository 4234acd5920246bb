//===- LeafCost.cpp - What an iteration of a cilk_for costs ---------------===//
//
// See LeafCost.h. In the split the leaf's loop may be vectorized, which leaves
// several loops behind one another, each of which takes some of the iterations. The
// cost of an iteration is that of the loop where it is highest. In front of
// vectorization it is one loop of scalars, so the bound is a higher one.
// No bound: a loop within a loop, a call, or what may wait for another thread.
//
//===----------------------------------------------------------------------===//
#include "LeafCost.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <optional>

using namespace llvm;
using namespace nopal;

/// Instructions that a leaf shall have: 0.1 to 0.4 us, as long as a theft takes
/// at best, and ten times what it costs to push and call a leaf.
static constexpr uint64_t LeafInstructions = 1024;
/// A division or square root takes as long as so many others.
static constexpr uint64_t Slow = 16;

/// Instructions that something of type \p T takes; none if calls or loops are made
/// of it: floating point without registers, integers that are longer than two. A
/// vector takes as many as registers of 16 bytes.
static std::optional<uint64_t> registersOf(Type *T, const DataLayout &DL) {
  const Type *Element = T->getScalarType();
  const unsigned Bits = Element->isIntegerTy() ? Element->getIntegerBitWidth() : 0;
  if (Element->isFP128Ty() || Bits > 128)
    return std::nullopt;
  if (Element->isHalfTy() || Element->isBFloatTy()) // may be calls, too, but short ones
    return Slow * (isa<FixedVectorType>(T) ? cast<FixedVectorType>(T)->getNumElements() : 1);
  if (T->isVectorTy() && !T->isScalableTy())
    return std::max<uint64_t>(1, DL.getTypeStoreSize(T).getFixedValue() / 16);
  return Bits > 64 ? 4 : 1;
}

/// Of one instruction; none if there is no bound, or another thread could matter.
static std::optional<uint64_t> costOf(const Instruction &I, const DataLayout &DL) {
  if (isa<PHINode, BitCastInst, UnreachableInst>(I) || I.isDebugOrPseudoInst())
    return 0;
  if (I.isAtomic() || I.isVolatile())
    return std::nullopt;
  SmallVector<Type *, 4> Types{I.getType()};
  for (const Use &Operand : I.operands())
    Types.push_back(Operand->getType());
  uint64_t Cost = 1;
  for (Type *T : Types) {
    const std::optional<uint64_t> Registers = registersOf(T, DL);
    if (!Registers)
      return std::nullopt;
    Cost = std::max(Cost, *Registers);
  }
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    if (I.getType()->getScalarSizeInBits() > 64) // is a call
      return std::nullopt;
    // No vector instruction divides integers, but by a constant they multiply.
    if (auto *Vector = dyn_cast<FixedVectorType>(I.getType());
        Vector && !isa<Constant>(I.getOperand(1)))
      Cost = Vector->getNumElements();
    return Slow * Cost;
  case Instruction::FDiv:
    return Slow * Cost;
  case Instruction::FRem: // is a call
    return std::nullopt;
  case Instruction::Call:
    break;
  default:
    if (isa<CallBase>(I) || isa<AllocaInst>(I))
      return std::nullopt;
    return Cost;
  }
  auto *II = dyn_cast<IntrinsicInst>(&I);
  if (!II)
    return std::nullopt;
  if (II->isAssumeLikeIntrinsic())
    return 0;
  switch (II->getIntrinsicID()) {
  case Intrinsic::sqrt:
    return Slow * Cost;
  case Intrinsic::abs:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::bswap:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::fmuladd:
  case Intrinsic::maxnum:
  case Intrinsic::minnum:
    return 2 * Cost;
  default:
    return std::nullopt; // many become calls
  }
}

/// How many iterations one round of \p L takes: the step of the counter that its
/// end is compared with.
static uint64_t stepOf(const Loop &L) {
  auto *Latch = L.getLoopLatch();
  auto *Branch = Latch ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  auto *End = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!End)
    return 1;
  for (PHINode &Counter : L.getHeader()->phis()) {
    if (!Counter.getType()->isIntegerTy(64))
      continue;
    auto *Next = dyn_cast<AddOperator>(Counter.getIncomingValueForBlock(Latch));
    auto *Step = Next ? dyn_cast<ConstantInt>(Next->getOperand(1)) : nullptr;
    if (Step && Next->getOperand(0) == &Counter &&
        (is_contained(End->operands(), Next) || is_contained(End->operands(), &Counter)))
      return std::max<uint64_t>(1, Step->getValue().abs().getLimitedValue(LeafInstructions));
  }
  return 1;
}

uint64_t nopal::leastGrain(Function &Leaf) {
  const DominatorTree DT(Leaf);
  const LoopInfo Loops(DT);
  const DataLayout &DL = Leaf.getDataLayout();
  uint64_t Most = 0;
  for (const Loop *L : Loops) {
    if (!L->isInnermost())
      return 1;
    uint64_t Round = 0;
    for (const BasicBlock *BB : L->blocks())
      for (const Instruction &I : *BB) {
        const std::optional<uint64_t> Cost = costOf(I, DL);
        if (!Cost)
          return 1;
        Round += *Cost;
      }
    Most = std::max(Most, divideCeil(Round, stepOf(*L)));
  }
  if (!Most)
    return 1;
  // What stands outside of the loops is done once a leaf, but not unknown work.
  for (const Instruction &I : instructions(Leaf))
    if (!costOf(I, DL))
      return 1;
  return divideCeil(LeafInstructions, Most);
}
