//===- Ranges.cpp - Accesses of loops, told at once -----------------------===//
//
// See Ranges.h. An access of each iteration, whose address moves by a constant step, becomes a
// range before the loop; a range of each iteration of the loop around it becomes rows:
//
//   for i < n:                          call @__nopal_race_rows(%a, 8 * m, %stride, n, read)
//     for j < m: ... = a[i][j]     =>   for i < n:
//                                         for j < m: ... = a[i][j]
//
// The order of accesses does not matter within a strand, nor their number. So a loop must be
// entered only where it runs its body, and end at its latch alone; it must call nothing that could
// end the strand, take a lock, free memory or not return. What runs only under a condition that
// does not change in the loop is told under that condition.
//
//===----------------------------------------------------------------------===//
#include "Ranges.h"
#include "../compatibility/Compatibility.h"
#include "../contract/HookCalls.h"
#include "nopal_race.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace nopal;

namespace {

/// A condition, and what it must be.
using Guard = std::pair<Value *, bool>;

/// Rows of bytes that each execution of a block accesses.
struct Range {
  const SCEV *Start, *Bytes;
  nopal_race_kind How;
  DebugLoc Where;
  BasicBlock *Block;                              // told at its end
  const SCEV *Stride = nullptr, *Count = nullptr; // null: one row
  SmallVector<Guard, 2> Guards = {};              // the outermost first

  bool isSame(const Range &Other) const {
    return Start == Other.Start && Bytes == Other.Bytes && Stride == Other.Stride &&
           Count == Other.Count && Guards == Other.Guards;
  }
};

/// A range of one iteration, and how far it is from that of the next one.
struct Moving {
  Range Each;
  const SCEV *Step;
};

class Teller {
public:
  Teller(Function &F, LoopInfo &LI, ScalarEvolution &SE, DominatorTree &DT, bool IsLeaf)
      : F(F), LI(LI), SE(SE), DT(DT), PDT(F), DL(F.getDataLayout()),
        Size(Type::getInt64Ty(F.getContext())), Expander(SE, DL, "race"), IsLeaf(IsLeaf) {}

  bool run();
  bool tellsIterations() const { return TellsIterations; }

private:
  SmallVector<Range, 4> rangesBefore(Loop &L);
  SmallVector<Range, 8> accessesOf(Loop &L);
  bool isQuiet(const Instruction &I) const;
  bool isQuiet(const Loop &L) const;
  bool isTold(Instruction &I) const;
  const SCEV *iterations(const Loop &L);
  bool addGuards(Range &R, const Loop &L) const;
  const SCEV *moveBefore(Range &R, const Loop &L, const SCEV *Iterations);
  void tell(const Range &R);
  bool isWholeLeaf(const Loop &L);
  void runEachIfNeeded(Loop &L);
  Value *expand(const SCEV *Part, uint64_t Otherwise, Instruction *At) {
    return Part ? Expander.expandCodeFor(Part, Size, At->getIterator())
                : ConstantInt::get(Size, Otherwise);
  }
  /// 0 where a guard does not hold.
  Value *count(const Range &R, Instruction *At);

  Function &F;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
  PostDominatorTree PDT;
  const DataLayout &DL;
  Type *Size;
  nopal::compat::ScevExpander Expander;
  bool IsLeaf, TellsIterations = false;
  SmallVector<Moving, 8> Outermost; // of the loop that rangesBefore was asked for last
  bool Changed = false;
};

bool Teller::isQuiet(const Instruction &I) const {
  if (I.isVolatile() || I.isAtomic() || isa<FenceInst>(I))
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<DbgInfoIntrinsic>(I))
    return true;
  if (const auto *II = dyn_cast<IntrinsicInst>(&I); II && II->isAssumeLikeIntrinsic())
    return true;
  return Call->doesNotAccessMemory() && Call->doesNotThrow() && Call->willReturn();
}

bool Teller::isQuiet(const Loop &L) const {
  if (!L.getLoopPreheader() || !L.getLoopLatch() || L.getExitingBlock() != L.getLoopLatch())
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (!isQuiet(I))
        return false;
  return true;
}

/// An access that Clang's pass would tell of.
bool Teller::isTold(Instruction &I) const {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  if (!Pointer || Pointer->getType()->getPointerAddressSpace() != 0 ||
      I.hasMetadata(LLVMContext::MD_nosanitize))
    return false;
  const Value *Object = getUnderlyingObject(Pointer);
  const auto *Global = dyn_cast<GlobalVariable>(Object);
  return !isa<AllocaInst>(Object) && !(Global && Global->isConstant());
}

/// As 64 bits; null: not known before it begins.
const SCEV *Teller::iterations(const Loop &L) {
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Taken) || SE.getTypeSizeInBits(Taken->getType()) > 64)
    return nullptr;
  return SE.getAddExpr(SE.getNoopOrZeroExtend(Taken, Size), SE.getOne(Size));
}

/// Adds the conditions under which an iteration of \p L runs the block of \p R. False: it may
/// depend on the iteration.
bool Teller::addGuards(Range &R, const Loop &L) const {
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

/// Makes \p R what all iterations of \p L access. Returns how far the range of an iteration is
/// from that of the next one; null: impossible, and \p R is as before.
const SCEV *Teller::moveBefore(Range &R, const Loop &L, const SCEV *Iterations) {
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

/// Those of its own blocks, one for accesses of neighbours by one line of the source.
SmallVector<Range, 8> Teller::accessesOf(Loop &L) {
  SmallVector<Range, 8> Result;
  const auto AddTo = [&](Range &Former, const Range &R) {
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
  };
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (LI.getLoopFor(BB) != &L || !isTold(I))
        continue;
      const TypeSize Bytes = DL.getTypeStoreSize(getLoadStoreType(&I));
      const SCEV *Start = SE.getSCEV(getLoadStorePointerOperand(&I));
      if (Bytes.isScalable() || isa<SCEVCouldNotCompute>(Start))
        continue;
      Range R{Start, SE.getConstant(Size, Bytes),
              isa<StoreInst>(I) ? NOPAL_RACE_WRITE : NOPAL_RACE_READ, I.getDebugLoc(), BB};
      Range Moved = R;
      // Before the loop, or not at all: Clang's pass is cheaper in it.
      if (!addGuards(R, L) || !addGuards(Moved, L) || !moveBefore(Moved, L, iterations(L)) ||
          !all_of(ArrayRef{Moved.Start, Moved.Bytes, Moved.Stride, Moved.Count},
                  [&](const SCEV *Part) {
                    return !Part ||
                           Expander.isSafeToExpandAt(Part, L.getLoopPreheader()->getTerminator());
                  }))
        continue;
      I.setMetadata(LLVMContext::MD_nosanitize, MDNode::get(F.getContext(), {}));
      R.Block = L.getLoopLatch();
      if (none_of(Result, [&](Range &Former) { return AddTo(Former, R); }))
        Result.push_back(R);
    }
  // Updates may be neighbours now.
  for (Range *R = Result.begin(); R != Result.end();)
    if (std::any_of(Result.begin(), R, [&](Range &Former) { return AddTo(Former, *R); }))
      R = Result.erase(R);
    else
      ++R;
  return Result;
}

/// What can be told before \p L. Tells of what can be told in it alone.
SmallVector<Range, 4> Teller::rangesBefore(Loop &L) {
  SmallVector<Range, 8> Inner;
  for (Loop *Sub : L)
    Inner.append(rangesBefore(*Sub));
  Outermost.clear();
  SmallVector<Range, 4> Result;
  const SCEV *Iterations = isQuiet(L) ? iterations(L) : nullptr;
  if (!Iterations) {
    for (const Range &R : Inner)
      tell(R);
    return Result;
  }
  BasicBlock *Before = L.getLoopPreheader();
  const auto Move = [&](const Range &Each) {
    Range R = Each;
    if (!addGuards(R, L))
      return false;
    Moving M{R, moveBefore(R, L, Iterations)};
    if (!M.Step)
      return false;
    for (const SCEV *Part : {R.Start, R.Bytes, R.Stride, R.Count})
      if (Part && !Expander.isSafeToExpandAt(Part, Before->getTerminator()))
        return false;
    R.Block = Before;
    Outermost.push_back(M);
    for (Range &Former : Result)
      if (Former.isSame(R)) {
        if (Former.How != R.How)
          Former.How = NOPAL_RACE_UPDATE;
        return true;
      }
    Result.push_back(R);
    return true;
  };
  Inner.append(accessesOf(L));
  for (const Range &R : Inner)
    if (!Move(R))
      tell(R);
  return Result;
}

Value *Teller::count(const Range &R, Instruction *At) {
  Value *Count = expand(R.Count, 1, At);
  IRBuilder<> B(At);
  Value *Holds = nullptr;
  for (const Guard &G : R.Guards) {
    Value *One = G.second ? G.first : B.CreateNot(G.first);
    Holds = Holds ? B.CreateLogicalAnd(Holds, One) : One;
  }
  return Holds ? B.CreateSelect(Holds, Count, B.getInt64(0)) : Count;
}

void Teller::tell(const Range &R) {
  Changed = true;
  Instruction *At = R.Block->getTerminator();
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(R.Where);
  Value *const Start = Expander.expandCodeFor(R.Start, B.getPtrTy(), At->getIterator());
  Value *const Arguments[] = {Start, expand(R.Bytes, 0, At), expand(R.Stride, 0, At), count(R, At),
                              B.getInt32(R.How)};
  B.CreateCall(NOPAL_DECLARE(*F.getParent(), __nopal_race_rows), Arguments);
}

/// \p L runs the iterations of a leaf, one each time, and all that the leaf accesses is in
/// `Outermost`.
bool Teller::isWholeLeaf(const Loop &L) {
  Value *Low = F.getArg(F.arg_size() - 2), *High = F.getArg(F.arg_size() - 1);
  if (!F.getReturnType()->isVoidTy() || !isQuiet(L) ||
      iterations(L) != SE.getMinusSCEV(SE.getSCEV(High), SE.getSCEV(Low)))
    return false;
  return none_of(instructions(F), [&](Instruction &I) { return !isQuiet(I) || isTold(I); });
}

/// Iterations are strands of their own. Before the loop:
///
///   %each = {start, bytes, stride, count, step, kind}...      of an iteration
///   br __nopal_race_may_conflict(%each, n, %high - %low), apart, together
/// apart:
///   for %low <= i < %high: __nopal_race_iteration(i); leaf(.., i, i + 1)
///   ret
/// together:
///   the ranges of all iterations, and the loop
void Teller::runEachIfNeeded(Loop &L) {
  LLVMContext &C = F.getContext();
  Instruction *At = L.getLoopPreheader()->getTerminator();
  IRBuilder<> B(At);
  auto *Entry = StructType::get(C, {B.getPtrTy(), Size, Size, Size, Size, Size});
  using Rows = nopal_race_iteration_rows;
  static_assert(sizeof(Rows) == 48 && offsetof(Rows, bytes) == 8 && offsetof(Rows, stride) == 16 &&
                    offsetof(Rows, count) == 24 && offsetof(Rows, step) == 32 &&
                    offsetof(Rows, kind) == 40,
                "the fields of Entry");
  auto *Table = ArrayType::get(Entry, Outermost.size());
  IRBuilder<> AtStart(&*F.getEntryBlock().getFirstInsertionPt());
  Value *Each = AtStart.CreateAlloca(Table);
  // Not the program's own: Clang's pass leaves these stores out.
  MDNode *NoSanitize = MDNode::get(C, {});
  for (auto [I, M] : enumerate(Outermost)) {
    const Range &R = M.Each;
    const SCEV *Start = R.Start;
    if (const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Start);
        Recurrence && Recurrence->getLoop() == &L)
      Start = Recurrence->getStart();
    Value *const Parts[] = {Expander.expandCodeFor(Start, B.getPtrTy(), At->getIterator()),
                            expand(R.Bytes, 0, At),
                            expand(R.Stride, 0, At),
                            count(R, At),
                            expand(M.Step, 0, At),
                            B.getInt64(R.How)};
    B.SetInsertPoint(At);
    for (auto [Part, V] : enumerate(Parts))
      B.CreateStore(V, B.CreateConstInBoundsGEP2_32(
                           Entry, B.CreateConstInBoundsGEP2_32(Table, Each, 0, I), 0, Part))
          ->setMetadata(LLVMContext::MD_nosanitize, NoSanitize);
  }
  Argument *Low = F.getArg(F.arg_size() - 2), *High = F.getArg(F.arg_size() - 1);
  Module &M = *F.getParent();
  Value *MayConflict =
      B.CreateIsNotNull(B.CreateCall(NOPAL_DECLARE(M, __nopal_race_may_conflict),
                                     {Each, B.getInt64(Outermost.size()), B.CreateSub(High, Low)}));

  BasicBlock *Before = At->getParent();
  BasicBlock *Together = SplitBlock(Before, At, &DT, &LI, nullptr, "together");
  auto *Apart = BasicBlock::Create(C, "apart", &F, Together);
  auto *Done = BasicBlock::Create(C, "apart.end", &F, Together);
  Before->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Before);
  B.SetCurrentDebugLocation(At->getDebugLoc());
  B.CreateCondBr(MayConflict, Apart, Together);
  B.SetInsertPoint(Apart);
  PHINode *I = B.CreatePHI(Size, 2);
  B.CreateCall(NOPAL_DECLARE(M, __nopal_race_iteration), {I});
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : F.args())
    Arguments.push_back(&A);
  Value *Next = B.CreateAdd(I, B.getInt64(1));
  Arguments[F.arg_size() - 2] = I;
  Arguments[F.arg_size() - 1] = Next;
  B.CreateCall(&F, Arguments)->setCallingConv(F.getCallingConv());
  I->addIncoming(Low, Before);
  I->addIncoming(Next, Apart);
  B.CreateCondBr(B.CreateICmpEQ(Next, High), Done, Apart);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
}

bool Teller::run() {
  for (Loop *L : LI) {
    SmallVector<Range, 4> Ranges = rangesBefore(*L);
    const bool IsWhole = IsLeaf && LI.end() - LI.begin() == 1 && isWholeLeaf(*L);
    if (IsWhole) {
      runEachIfNeeded(*L);
      TellsIterations = Changed = true;
    }
    for (Range &R : Ranges) {
      R.Block = L->getLoopPreheader();
      tell(R);
    }
  }
  return Changed;
}

} // namespace

/// The leaf that runs between \p Hook and its end; null: another shape.
static Function *leafAfter(LeafHook &Hook) {
  for (Instruction *I = Hook.getNextNode(); I; I = I->getNextNode())
    if (auto *Call = dyn_cast<CallBase>(I); Call && !isa<DbgInfoIntrinsic>(Call)) {
      Function *Leaf = Call->getCalledFunction();
      const unsigned Count = Call->arg_size();
      const bool IsLeaf = Leaf && Leaf->hasLocalLinkage() && Count >= 2 &&
                          Count == Leaf->arg_size() &&
                          Call->getArgOperand(Count - 2) == Hook.low() &&
                          Call->getArgOperand(Count - 1) == Hook.high();
      return IsLeaf ? Leaf : nullptr;
    }
  return nullptr;
}

static LoopHook *hookOfLoop(LeafHook &Leaf) {
  for (Instruction &I : instructions(*Leaf.getFunction()))
    if (auto *Hook = dyn_cast<LoopHook>(&I); Hook && Hook->site() == Leaf.site())
      return Hook;
  return nullptr;
}

/// A control variable of 32 bits is made from an iteration's number, which has 64. If there are
/// less than 2^31 iterations it is that number.
static bool dropConversions(Function &Leaf, Value *Count, LoopInfo &LI) {
  if (computeKnownBits(Count, Leaf.getDataLayout()).countMinLeadingZeros() < 33)
    return false;
  using namespace PatternMatch;
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(Leaf))) {
    Value *Number;
    // As the optimizer writes sext(trunc) and zext(trunc) from and to 64 bits.
    const bool IsConversion =
        match(&I, m_AShr(m_Shl(m_Value(Number), m_SpecificInt(32)), m_SpecificInt(32))) ||
        match(&I, m_And(m_Value(Number), m_SpecificInt(0xffffffff)));
    if (!IsConversion || !I.getType()->isIntegerTy(64) || Number->getType() != I.getType())
      continue;
    const auto *Phi = dyn_cast<PHINode>(Number);
    const Loop *L = Phi ? LI.getLoopFor(Phi->getParent()) : nullptr;
    if (!L || L->getLoopDepth() != 1 || L->getHeader() != Phi->getParent() ||
        !L->getLoopPredecessor() || !L->getLoopLatch() ||
        Phi->getIncomingValueForBlock(L->getLoopPredecessor()) !=
            Leaf.getArg(Leaf.arg_size() - 2) ||
        !match(Phi->getIncomingValueForBlock(L->getLoopLatch()), m_c_Add(m_Specific(Phi), m_One())))
      continue;
    I.replaceAllUsesWith(Number);
    Changed = true;
  }
  return Changed;
}

/// Leaves of loops, each with the hook before its only call.
static DenseMap<Function *, LeafHook *> leavesOf(Module &M) {
  DenseMap<Function *, LeafHook *> Leaves;
  if (Function *Declared = M.getFunction(LeafHook::Name))
    for (User *U : Declared->users())
      if (auto *Hook = dyn_cast<LeafHook>(U))
        if (Function *Leaf = leafAfter(*Hook); Leaf && Leaf->hasOneUse() && hookOfLoop(*Hook))
          Leaves[Leaf] = Hook;
  return Leaves;
}

void nopal::race::tellRanges(Module &M, FunctionAnalysisManager &FAM) {
  const DenseMap<Function *, LeafHook *> Leaves = leavesOf(M);
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasOptNone() || !F.hasFnAttribute(Attribute::SanitizeThread))
      continue;
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    bool Is = false;
    for (Loop *L : LI)
      Is |= simplifyLoop(L, &DT, &LI, &SE, nullptr, nullptr, /*PreserveLCSSA=*/false);
    const auto Hook = Leaves.find(&F);
    if (Hook != Leaves.end() && dropConversions(F, hookOfLoop(*Hook->second)->count(), LI)) {
      SE.forgetAllLoops();
      Is = true;
    }
    Teller T(F, LI, SE, DT, Hook != Leaves.end());
    Is |= T.run();
    if (T.tellsIterations()) {
      LoopHook *Loop = hookOfLoop(*Hook->second);
      Loop->replaceAllUsesWith(Loop->count());
    }
    if (Is)
      FAM.invalidate(F, PreservedAnalyses::none());
  }
}
