//===- LeafCost.cpp - What an iteration of a cilk_for costs ---------------===//
//
// See LeafCost.h. At the split the leaf's loop may be vectorized: several loops in sequence, each
// of which runs some of the iterations. The cost of an iteration is the highest among them. Before
// vectorization it is one loop of scalars, and the bound is higher. A call, and all that may wait
// for another thread, has no bound.
//
// An inner loop costs its trip count times the cost of its iteration. If the trip count is known
// before the leaf begins, a function that is made from the leaf computes it, where the cilk_for
// stands:
//
//   f.least(operands, lo, hi):
//     cost = units + min(trip count(operands), 1024) * units of an inner iteration
//     ret 1024 / min(cost, 1024)
//
// Of the leaf's code, this function keeps only what the trip count needs.
//
//===----------------------------------------------------------------------===//
#include "LeafCost.h"

#include "../compatibility/Compatibility.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::split;

/// What a leaf should cost: 0.1 to 0.4 us. That is as long as a quick steal, and ten times as long
/// as to push and call a leaf.
static constexpr uint64_t LeafUnits = 1024;
/// What a division or square root costs. The model counts one or a few micro-operations.
static constexpr uint64_t Slow = 16;

/// The number of lanes of a value of type \p T.
static uint64_t lanesOf(const Type *T) {
  auto *Vector = dyn_cast<FixedVectorType>(T);
  return Vector ? Vector->getNumElements() : 1;
}

/// Whether code generation makes calls or loops of operations on type \p T: floating point without
/// registers, or integers wider than two registers.
static bool hasNoRegisters(const Type *T) {
  const Type *Element = T->getScalarType();
  return Element->isFP128Ty() || (Element->isIntegerTy() && Element->getIntegerBitWidth() > 128);
}

/// Whether \p I is one of the intrinsics that never become calls.
static bool isInstruction(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::sqrt:
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
    return true;
  default:
    return I.isAssumeLikeIntrinsic();
  }
}

/// Whether \p I is or becomes a call, allocates, or may depend on another thread. (The target's
/// model prices a call as a few instructions.)
static bool isUnbounded(const Instruction &I) {
  if (I.isAtomic() || I.isVolatile() || isa<AllocaInst>(I) || hasNoRegisters(I.getType()) ||
      any_of(I.operands(), [](const Use &U) { return hasNoRegisters(U->getType()); }))
    return true;
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return I.getType()->getScalarSizeInBits() > 64;
  case Instruction::FRem:
    return true;
  default: {
    auto *Call = dyn_cast<CallBase>(&I);
    auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    auto *II = dyn_cast<IntrinsicInst>(&I);
    return Call && !(Asm && Asm->getAsmString().empty()) && !(II && isInstruction(*II));
  }
  }
}

std::optional<uint64_t> split::costOf(const Instruction &I, const TargetTransformInfo &TTI) {
  if (isUnbounded(I))
    return std::nullopt;
  auto *Call = dyn_cast<CallBase>(&I);
  if (Call && Call->isInlineAsm()) // empty: hides a value from the optimizer
    return 1;
  const InstructionCost Known = TTI.getInstructionCost(&I, TargetTransformInfo::TCK_SizeAndLatency);
  if (!Known.isValid())
    return std::nullopt;
  Type *T = I.getType();
  const Type *Element = T->getScalarType();
  uint64_t Cost = compat::valueOf(Known);
  if (T->isVectorTy()) // the model counts a load of several registers once
    Cost = std::max<uint64_t>(Cost, TTI.getNumberOfParts(T));
  if (Element->isHalfTy() || Element->isBFloatTy()) // may become calls, but short ones
    return std::max(Cost, Slow * lanesOf(T));
  if (I.getOpcode() == Instruction::FDiv || (Call && Call->getIntrinsicID() == Intrinsic::sqrt))
    return Slow * Cost;
  if (I.isIntDivRem()) // no vector instruction divides; by a constant it multiplies
    return Slow * (isa<Constant>(I.getOperand(1)) ? TTI.getNumberOfParts(T) : lanesOf(T));
  return Cost;
}

/// How many iterations of the source one pass through \p L runs: the step of the counter in its
/// exit test.
static uint64_t stepOf(const Loop &L) {
  auto *Latch = L.getLoopLatch();
  auto *Branch = Latch ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  auto *End =
      Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!End)
    return 1;
  for (PHINode &Counter : L.getHeader()->phis()) {
    if (!Counter.getType()->isIntegerTy(64))
      continue;
    auto *Next = dyn_cast<AddOperator>(Counter.getIncomingValueForBlock(Latch));
    auto *Step = Next ? dyn_cast<ConstantInt>(Next->getOperand(1)) : nullptr;
    if (Step && Next->getOperand(0) == &Counter &&
        (is_contained(End->operands(), Next) || is_contained(End->operands(), &Counter)))
      return std::max<uint64_t>(1, Step->getValue().abs().getLimitedValue(LeafUnits));
  }
  return 1;
}

/// The cost of one pass through \p L without its inner loops; none if there is no bound.
static std::optional<uint64_t> costOfRound(const Loop &L, const LoopInfo &Loops,
                                           const TargetTransformInfo &TTI) {
  uint64_t Round = 0;
  for (const BasicBlock *BB : L.blocks()) {
    if (Loops.getLoopFor(BB) != &L)
      continue;
    for (const Instruction &I : *BB) {
      const std::optional<uint64_t> Cost = costOf(I, TTI);
      if (!Cost)
        return std::nullopt;
      Round += *Cost;
    }
  }
  return Round;
}

/// Whether all of \p F has a bound, apart from the trip counts of inner loops.
static bool isBounded(const Function &F, const TargetTransformInfo &TTI) {
  return all_of(instructions(F), [&](const Instruction &I) { return costOf(I, TTI); });
}

uint64_t split::leastGrain(Function &Leaf, const TargetTransformInfo &TTI) {
  const DominatorTree DT(Leaf);
  const LoopInfo Loops(DT);
  // Code outside of the loops runs once for each leaf and is not counted, but it must have a bound.
  if (!isBounded(Leaf, TTI))
    return 1;
  uint64_t Most = 0;
  for (const Loop *L : Loops) {
    if (!L->isInnermost())
      return 1;
    Most = std::max(Most, divideCeil(*costOfRound(*L, Loops, TTI), stepOf(*L)));
  }
  return Most ? divideCeil(LeafUnits, Most) : 1;
}

namespace {

/// Builds the cost of an iteration at the end of the entry of \p F, a copy of a leaf.
class CostBuilder {
public:
  CostBuilder(Function &F, const TargetTransformInfo &TTI)
      : F(F), TTI(TTI), DT(F), Loops(DT), Names(compat::targetOf(*F.getParent())), Library(Names),
        Assumptions(F), SE(F, Library, Assumptions, DT, Loops),
        Expander(SE, F.getDataLayout(), "trip.count"), At(F.getEntryBlock().getTerminator()),
        B(At) {}

  /// Null if there is no bound.
  Value *build() {
    Value *Most = nullptr;
    for (Loop *L : Loops) {
      Value *Cost = costOfAll(*L);
      if (!Cost)
        return nullptr;
      if (L->isInnermost())
        Cost = B.getInt64(divideCeil(cast<ConstantInt>(Cost)->getZExtValue(), stepOf(*L)));
      Most = Most ? B.CreateBinaryIntrinsic(Intrinsic::umax, Most, Cost) : Cost;
    }
    return Most;
  }

private:
  /// At most LeafUnits, so that no product is too large.
  Value *limited(Value *V) {
    return B.CreateBinaryIntrinsic(Intrinsic::umin, V, B.getInt64(LeafUnits));
  }

  /// The cost of one pass through \p L with its inner loops. Null if there is no bound.
  Value *costOfAll(Loop &L) {
    Value *Cost = B.getInt64(*costOfRound(L, Loops, TTI));
    for (Loop *Inner : L) {
      Value *TripCount = tripCountOf(*Inner), *Each = costOfAll(*Inner);
      if (!TripCount || !Each)
        return nullptr;
      Cost = B.CreateAdd(Cost, B.CreateMul(limited(TripCount), limited(Each)));
    }
    return Cost;
  }

  /// The trip count of \p Inner whenever it is entered.
  Value *tripCountOf(Loop &Inner) {
    const SCEV *Back = SE.getSymbolicMaxBackedgeTakenCount(&Inner);
    if (isa<SCEVCouldNotCompute>(Back) || Back->getType()->getScalarSizeInBits() > 64 ||
        !SE.isLoopInvariant(Back, Inner.getOutermostLoop()) ||
        SCEVExprContains(Back, [&](const SCEV *S) { return dependsOnRange(S); }) ||
        !Expander.isSafeToExpandAt(Back, At))
      return nullptr;
    // (If the loop is not entered, the number may be poison.)
    Value *V = B.CreateFreeze(Expander.expandCodeFor(Back, Back->getType(), At->getIterator()));
    return B.CreateAdd(B.CreateZExtOrTrunc(V, B.getInt64Ty()), B.getInt64(1));
  }

  bool dependsOnRange(const SCEV *S) const {
    auto *U = dyn_cast<SCEVUnknown>(S);
    auto *A = U ? dyn_cast<Argument>(U->getValue()) : nullptr;
    return A && A->getArgNo() + 2 >= F.arg_size();
  }

  Function &F;
  const TargetTransformInfo &TTI;
  DominatorTree DT;
  LoopInfo Loops;
  TargetLibraryInfoImpl Names;
  TargetLibraryInfo Library;
  AssumptionCache Assumptions;
  ScalarEvolution SE;
  compat::ScevExpander Expander;
  Instruction *At;
  IRBuilder<> B;
};

} // namespace

Function *split::leastGrainFunction(Function &Leaf, const TargetTransformInfo &TTI) {
  // The copy keeps the part of the entry that the trip counts need, so the entry must not have side
  // effects. A single block has no loop.
  if (Leaf.size() < 2 || !isBounded(Leaf, TTI) ||
      any_of(Leaf.getEntryBlock(), [](const Instruction &I) { return I.mayHaveSideEffects(); }))
    return nullptr;
  LLVMContext &C = Leaf.getContext();
  StringRef Name = Leaf.getName();
  auto *F = Function::Create(
      FunctionType::get(Type::getInt64Ty(C), Leaf.getFunctionType()->params(), false),
      GlobalValue::InternalLinkage, Name.substr(0, Name.rfind(".leaf")) + ".least",
      Leaf.getParent());
  ValueToValueMapTy Map;
  for (auto [From, To] : zip(Leaf.args(), F->args()))
    Map[&From] = &To;
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(F, &Leaf, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  Value *Cost = CostBuilder(*F, TTI).build();
  if (!Cost) {
    F->eraseFromParent();
    return nullptr;
  }
  BasicBlock &Entry = F->getEntryBlock();
  IRBuilder<> B(Entry.getTerminator());
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Most = B.CreateTrunc(B.CreateBinaryIntrinsic(Intrinsic::umin, Cost, B.getInt64(LeafUnits)),
                              B.getInt32Ty());
  Value *Least = B.CreateUDiv(B.getInt32(LeafUnits), Most, "least"); // quicker than in 64 bits
  B.CreateRet(B.CreateZExt(Least, B.getInt64Ty()));
  Entry.getTerminator()->eraseFromParent();
  removeUnreachableBlocks(*F);
  F->setSubprogram(nullptr);
  for (Instruction &I : make_early_inc_range(reverse(Entry))) {
    I.dropDbgRecords();
    I.setDebugLoc(DebugLoc());
    if (isInstructionTriviallyDead(&I))
      I.eraseFromParent();
  }
  return F;
}
