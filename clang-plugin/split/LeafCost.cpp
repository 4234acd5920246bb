//===- LeafCost.cpp - What an iteration of a cilk_for costs ---------------===//
//
// See LeafCost.h. In the split the leaf's loop may be vectorized, which leaves
// several loops, one after another, each of which takes some of the iterations. The
// cost of an iteration is that of the loop where it is highest. Before
// vectorization it is one loop of scalars, so the bound is a higher one.
// No bound: a call, or what may wait for another thread.
//
// A loop within the loop costs what an iteration of it does, as many times as it has
// iterations. If that number is known before the leaf begins, it is computed where the
// loop stands, by a function that is made of the leaf:
//
//   f.least(operands, lo, hi):
//     cost = instructions + min(trip count(operands), 1024) * instructions of an iteration
//     ret 1024 / min(cost, 1024)
//
// In it the leaf's own code is gone but for what the trip count needs.
//
//===----------------------------------------------------------------------===//
#include "LeafCost.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

using namespace llvm;
using namespace nopal;
using namespace nopal::split;

/// Instructions that a leaf shall have: 0.1 to 0.4 us, as long as a steal takes
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
  if (auto *Asm = dyn_cast<InlineAsm>(cast<CallInst>(I).getCalledOperand());
      Asm && Asm->getAsmString().empty()) // hides a value from the optimizer
    return Cost;
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

/// Of a round of \p L, without the loops in it; none if there is no bound.
static std::optional<uint64_t> costOfRound(const Loop &L, const LoopInfo &Loops,
                                           const DataLayout &DL) {
  uint64_t Round = 0;
  for (const BasicBlock *BB : L.blocks()) {
    if (Loops.getLoopFor(BB) != &L)
      continue;
    for (const Instruction &I : *BB) {
      const std::optional<uint64_t> Cost = costOf(I, DL);
      if (!Cost)
        return std::nullopt;
      Round += *Cost;
    }
  }
  return Round;
}

/// Whether all of \p F has a bound, but for the trip counts of inner loops.
static bool isBounded(const Function &F, const DataLayout &DL) {
  return all_of(instructions(F), [&](const Instruction &I) { return costOf(I, DL); });
}

uint64_t split::leastGrain(Function &Leaf) {
  const DominatorTree DT(Leaf);
  const LoopInfo Loops(DT);
  const DataLayout &DL = Leaf.getDataLayout();
  // What stands outside of the loops is done once a leaf, but not unknown work.
  if (!isBounded(Leaf, DL))
    return 1;
  uint64_t Most = 0;
  for (const Loop *L : Loops) {
    if (!L->isInnermost())
      return 1;
    Most = std::max(Most, divideCeil(*costOfRound(*L, Loops, DL), stepOf(*L)));
  }
  return Most ? divideCeil(LeafInstructions, Most) : 1;
}

namespace {

/// Builds the cost of an iteration at the end of the entry of \p F, a copy of a leaf.
class CostBuilder {
public:
  explicit CostBuilder(Function &F)
      : F(F), DL(F.getDataLayout()), DT(F), Loops(DT), Names(F.getParent()->getTargetTriple()),
        Library(Names), Assumptions(F), SE(F, Library, Assumptions, DT, Loops),
        Expander(SE, "trip.count"), At(F.getEntryBlock().getTerminator()), B(At) {}

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
  /// At most LeafInstructions, so that no product is too large.
  Value *limited(Value *V) {
    return B.CreateBinaryIntrinsic(Intrinsic::umin, V, B.getInt64(LeafInstructions));
  }

  /// Of a round of \p L with the loops in it.
  Value *costOfAll(Loop &L) {
    Value *Cost = B.getInt64(*costOfRound(L, Loops, DL));
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
    // (If it is not entered the number may be anything, so poison as well.)
    Value *V = B.CreateFreeze(Expander.expandCodeFor(Back, Back->getType(), At->getIterator()));
    return B.CreateAdd(B.CreateZExtOrTrunc(V, B.getInt64Ty()), B.getInt64(1));
  }

  bool dependsOnRange(const SCEV *S) const {
    auto *U = dyn_cast<SCEVUnknown>(S);
    auto *A = U ? dyn_cast<Argument>(U->getValue()) : nullptr;
    return A && A->getArgNo() + 2 >= F.arg_size();
  }

  Function &F;
  const DataLayout &DL;
  DominatorTree DT;
  LoopInfo Loops;
  TargetLibraryInfoImpl Names;
  TargetLibraryInfo Library;
  AssumptionCache Assumptions;
  ScalarEvolution SE;
  SCEVExpander Expander;
  Instruction *At;
  IRBuilder<> B;
};

} // namespace

Function *split::leastGrainFunction(Function &Leaf) {
  const DataLayout &DL = Leaf.getDataLayout();
  // The copy keeps of the entry what the trip counts need, and so must not
  // write; with a single block there is no loop.
  if (Leaf.size() < 2 || !isBounded(Leaf, DL) ||
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
  Value *Cost = CostBuilder(*F).build();
  if (!Cost) {
    F->eraseFromParent();
    return nullptr;
  }
  BasicBlock &Entry = F->getEntryBlock();
  IRBuilder<> B(Entry.getTerminator());
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Most = B.CreateTrunc(
      B.CreateBinaryIntrinsic(Intrinsic::umin, Cost, B.getInt64(LeafInstructions)), B.getInt32Ty());
  Value *Least = B.CreateUDiv(B.getInt32(LeafInstructions), Most, "least"); // a third of a long one
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
