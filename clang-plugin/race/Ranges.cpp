//===- Ranges.cpp - Accesses of loops, reported at once -------------------===//
//
// See Ranges.h. An access of each iteration, whose address moves by a constant step, becomes a
// range before the loop; a range of each iteration of the loop around it becomes rows:
//
//   for i < n:                          call @__nopal_race_rows(%a, 8 * m, %stride, n, read)
//     for j < m: ... = a[i][j]     =>   for i < n:
//                                         for j < m: ... = a[i][j]
//
// Of which accesses: LoopAccesses.h.
//
//===----------------------------------------------------------------------===//
#include "Ranges.h"
#include "../compatibility/Compatibility.h"
#include "../contract/HookCalls.h"
#include "LoopAccesses.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::race;

namespace {

/// A range of one iteration, and how far it is from that of the next one.
struct IterationRange {
  Range Each;
  const SCEV *Step;
};

/// What can be reported before a loop: of all its iterations, and the same of one.
struct LoopRanges {
  SmallVector<Range, 4> All;
  SmallVector<IterationRange, 8> OfOne;
};

class RangeReporter {
public:
  RangeReporter(Function &F, LoopInfo &LI, ScalarEvolution &SE, DominatorTree &DT, bool IsLeaf)
      : F(F), LI(LI), SE(SE), DT(DT), Size(Type::getInt64Ty(F.getContext())),
        Expander(SE, F.getDataLayout(), "race"), Accesses(F, LI, SE, DT, Expander), IsLeaf(IsLeaf) {
  }

  bool run();
  bool reportsIterations() const { return ReportsIterations; }

private:
  LoopRanges rangesBefore(Loop &L);
  void report(const Range &R);
  bool isWholeLeaf(const Loop &L);
  void runEachIfNeeded(Loop &L, ArrayRef<IterationRange> Ranges);
  Value *rowsOfIteration(const Loop &L, ArrayRef<IterationRange> Ranges, Instruction *At);
  void runEach(Value *Condition, Instruction *At);
  Value *expand(const SCEV *Part, uint64_t Otherwise, Instruction *At) {
    return Part ? Expander.expandCodeFor(Part, Size, At->getIterator())
                : ConstantInt::get(Size, Otherwise);
  }
  /// 0 where a guard does not hold.
  Value *count(const Range &R, Instruction *At);
  Argument *low() const { return F.getArg(F.arg_size() - 2); }
  Argument *high() const { return F.getArg(F.arg_size() - 1); }

  Function &F;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
  Type *Size;
  nopal::compat::ScevExpander Expander;
  LoopAccesses Accesses;
  bool IsLeaf, ReportsIterations = false;
  bool Changed = false;
};

/// Reports what can be reported in \p L alone.
LoopRanges RangeReporter::rangesBefore(Loop &L) {
  SmallVector<Range, 8> Inner;
  for (Loop *Sub : L)
    Inner.append(rangesBefore(*Sub).All);
  LoopRanges Result;
  const SCEV *Iterations = Accesses.iterations(L);
  if (!Iterations) {
    for (const Range &R : Inner)
      report(R);
    return Result;
  }
  const auto Move = [&](Range R) {
    if (!Accesses.addGuards(R, L))
      return false;
    const Range OfOne = R;
    const SCEV *Step = Accesses.moveBefore(R, L, Iterations);
    if (!Step)
      return false;
    Result.OfOne.push_back({OfOne, Step});
    R.Block = L.getLoopPreheader();
    Range *const Same = find_if(Result.All, [&](const Range &Former) { return Former.isSame(R); });
    if (Same == Result.All.end())
      Result.All.push_back(R);
    else if (Same->How != R.How)
      Same->How = NOPAL_RACE_UPDATE;
    return true;
  };
  SmallVector<Instruction *, 8> Covered;
  Inner.append(Accesses.accessesOf(L, Iterations, Covered));
  for (Instruction *I : Covered)
    I->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(F.getContext(), {}));
  for (const Range &R : Inner)
    if (!Move(R))
      report(R);
  return Result;
}

Value *RangeReporter::count(const Range &R, Instruction *At) {
  Value *Count = expand(R.Count, 1, At);
  IRBuilder<> B(At);
  Value *Holds = nullptr;
  for (const Guard &G : R.Guards) {
    Value *One = G.second ? G.first : B.CreateNot(G.first);
    Holds = Holds ? B.CreateLogicalAnd(Holds, One) : One;
  }
  return Holds ? B.CreateSelect(Holds, Count, B.getInt64(0)) : Count;
}

void RangeReporter::report(const Range &R) {
  Changed = true;
  Instruction *At = R.Block->getTerminator();
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(R.Where);
  Value *const Start = Expander.expandCodeFor(R.Start, B.getPtrTy(), At->getIterator());
  Value *const Arguments[] = {Start, expand(R.Bytes, 0, At), expand(R.Stride, 0, At), count(R, At),
                              B.getInt32(R.How)};
  B.CreateCall(NOPAL_DECLARE(*F.getParent(), __nopal_race_rows), Arguments);
}

/// \p L runs the iterations of a leaf, one each time, and all that the leaf accesses can be
/// reported before it.
bool RangeReporter::isWholeLeaf(const Loop &L) {
  const SCEV *Iterations = F.getReturnType()->isVoidTy() ? Accesses.iterations(L) : nullptr;
  if (!Iterations || Iterations != SE.getMinusSCEV(SE.getSCEV(high()), SE.getSCEV(low())))
    return false;
  return all_of(instructions(F),
                [](const Instruction &I) { return hasOnlyPlainAccesses(I) && !isInstrumented(I); });
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
void RangeReporter::runEachIfNeeded(Loop &L, ArrayRef<IterationRange> Ranges) {
  Instruction *At = L.getLoopPreheader()->getTerminator();
  Value *Rows = rowsOfIteration(L, Ranges, At);
  IRBuilder<> B(At);
  Value *MayConflict = B.CreateIsNotNull(
      B.CreateCall(NOPAL_DECLARE(*F.getParent(), __nopal_race_may_conflict),
                   {Rows, B.getInt64(Ranges.size()), B.CreateSub(high(), low())}));
  runEach(MayConflict, At);
}

/// Stores \p Ranges, of the first iteration of \p L, into a table, before \p At.
Value *RangeReporter::rowsOfIteration(const Loop &L, ArrayRef<IterationRange> Ranges,
                                      Instruction *At) {
  LLVMContext &C = F.getContext();
  IRBuilder<> B(At);
  auto *Entry = StructType::get(C, {B.getPtrTy(), Size, Size, Size, Size, Size});
  using Rows = nopal_race_iteration_rows;
  static_assert(sizeof(Rows) == 48 && offsetof(Rows, bytes) == 8 && offsetof(Rows, stride) == 16 &&
                    offsetof(Rows, count) == 24 && offsetof(Rows, step) == 32 &&
                    offsetof(Rows, kind) == 40,
                "the fields of Entry");
  auto *Table = ArrayType::get(Entry, Ranges.size());
  IRBuilder<> AtStart(&*F.getEntryBlock().getFirstInsertionPt());
  Value *Each = AtStart.CreateAlloca(Table);
  // Not the program's own: Clang's pass leaves these stores out.
  MDNode *NoSanitize = MDNode::get(C, {});
  for (auto [I, OfOne] : enumerate(Ranges)) {
    const Range &R = OfOne.Each;
    const SCEV *Start = R.Start;
    if (const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Start);
        Recurrence && Recurrence->getLoop() == &L)
      Start = Recurrence->getStart();
    Value *const Parts[] = {Expander.expandCodeFor(Start, B.getPtrTy(), At->getIterator()),
                            expand(R.Bytes, 0, At),
                            expand(R.Stride, 0, At),
                            count(R, At),
                            expand(OfOne.Step, 0, At),
                            B.getInt64(R.How)};
    B.SetInsertPoint(At);
    for (auto [Part, V] : enumerate(Parts))
      B.CreateStore(V, B.CreateConstInBoundsGEP2_32(
                           Entry, B.CreateConstInBoundsGEP2_32(Table, Each, 0, I), 0, Part))
          ->setMetadata(LLVMContext::MD_nosanitize, NoSanitize);
  }
  return Each;
}

/// Where \p Condition holds, at \p At, calls the leaf for each of its iterations, and returns.
void RangeReporter::runEach(Value *Condition, Instruction *At) {
  LLVMContext &C = F.getContext();
  BasicBlock *Before = At->getParent();
  BasicBlock *Together = SplitBlock(Before, At, &DT, &LI, nullptr, "together");
  auto *Apart = BasicBlock::Create(C, "apart", &F, Together);
  auto *Done = BasicBlock::Create(C, "apart.end", &F, Together);
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(At->getDebugLoc());
  B.CreateCondBr(Condition, Apart, Together);
  B.SetInsertPoint(Apart);
  PHINode *I = B.CreatePHI(Size, 2);
  B.CreateCall(NOPAL_DECLARE(*F.getParent(), __nopal_race_iteration), {I});
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : F.args())
    Arguments.push_back(&A);
  Value *Next = B.CreateAdd(I, B.getInt64(1));
  Arguments[F.arg_size() - 2] = I;
  Arguments[F.arg_size() - 1] = Next;
  B.CreateCall(&F, Arguments)->setCallingConv(F.getCallingConv());
  I->addIncoming(low(), Before);
  I->addIncoming(Next, Apart);
  B.CreateCondBr(B.CreateICmpEQ(Next, high()), Done, Apart);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
}

bool RangeReporter::run() {
  for (Loop *L : LI) {
    LoopRanges Ranges = rangesBefore(*L);
    if (IsLeaf && LI.end() - LI.begin() == 1 && isWholeLeaf(*L)) {
      runEachIfNeeded(*L, Ranges.OfOne);
      ReportsIterations = Changed = true;
    }
    for (Range &R : Ranges.All) {
      R.Block = L->getLoopPreheader();
      report(R);
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

void race::reportRanges(Module &M, FunctionAnalysisManager &FAM) {
  const DenseMap<Function *, LeafHook *> Leaves = leavesOf(M);
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasOptNone() || !F.hasFnAttribute(Attribute::SanitizeThread))
      continue;
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    bool Changed = false;
    for (Loop *L : LI)
      Changed |= simplifyLoop(L, &DT, &LI, &SE, nullptr, nullptr, /*PreserveLCSSA=*/false);
    const auto Hook = Leaves.find(&F);
    if (Hook != Leaves.end() && dropConversions(F, hookOfLoop(*Hook->second)->count(), LI)) {
      SE.forgetAllLoops();
      Changed = true;
    }
    RangeReporter Reporter(F, LI, SE, DT, Hook != Leaves.end());
    Changed |= Reporter.run();
    if (Reporter.reportsIterations()) {
      LoopHook *Loop = hookOfLoop(*Hook->second);
      Loop->replaceAllUsesWith(Loop->count());
    }
    if (Changed)
      FAM.invalidate(F, PreservedAnalyses::none());
  }
}
