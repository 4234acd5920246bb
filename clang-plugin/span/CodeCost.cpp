//===- CodeCost.cpp - What the code between two hooks costs ---------------===//
//
// See CodeCost.h. Paths are walked block by block. A path by which a call throws is left out: what
// throws has no bound, and where an exception comes there is a hook.
//
//===----------------------------------------------------------------------===//
#include "CodeCost.h"

#include "../contract/HookCalls.h"
#include "../split/LeafCost.h"
#include "nopal_span.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace nopal;
using namespace nopal::span;

/// Longer chains of blocks have no bound.
static constexpr unsigned MostBlocks = 256;
/// A call and a return.
static constexpr unsigned CallUnits = 4;
/// An atomic operation that no other thread disturbs.
static constexpr unsigned AtomicUnits = 16;
/// Of memory that is copied or set.
static constexpr unsigned MostBytes = 256, BytesPerUnit = 16;

bool nopal::span::isStrandHook(const Instruction &I) {
  return isa<SpawnHook, ReturnHook, SyncHook>(I);
}

static bool isOfFrame(const Instruction &I) { return isa<EnterHook, LeaveHook, FreshHook>(I); }

/// Nothing comes after it, and nobody measures how the process ends.
static bool endsProcess(const BasicBlock &BB) {
  if (!isa<UnreachableInst>(BB.getTerminator()))
    return false;
  const auto *Last = dyn_cast_or_null<CallBase>(BB.getTerminator()->getPrevNode());
  return Last && Last->doesNotReturn() && Last->doesNotThrow();
}

static bool isSuccessOfExchange(const Value *V) {
  const auto *Part = dyn_cast<ExtractValueInst>(V);
  return Part && isa<AtomicCmpXchgInst>(Part->getAggregateOperand()) && Part->getIndices()[0] == 1;
}

/// \p BB repeats a loop because a compare-exchange has failed. That is another thread's doing, and
/// the run is serial.
static bool repeatsExchange(const BasicBlock &BB) {
  const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  if (!Branch || !Branch->isConditional())
    return false;
  const Value *A = Branch->getCondition(), *B = A;
  match(A, m_CombineOr(m_LogicalOr(m_Value(A), m_Value(B)), m_LogicalAnd(m_Value(A), m_Value(B))));
  return isSuccessOfExchange(A) || isSuccessOfExchange(B);
}

std::optional<unsigned> CodeCost::ofCallee(Function &F) {
  if (F.isDeclaration() || F.isInterposable())
    return std::nullopt;
  const auto [Known, IsNew] = Callees.try_emplace(&F, std::nullopt);
  if (!IsNew)
    return Known->second;
  const Cost Whole = forward(F.getEntryBlock().begin(), F.getEntryBlock());
  Callees[&F] = Whole;
  return Whole;
}

std::optional<unsigned> CodeCost::ofInstruction(Instruction &I) {
  if (isOfFrame(I) || isa<AllocaInst>(I) || I.isDebugOrPseudoInst())
    return isa<AllocaInst>(I) && !cast<AllocaInst>(I).isStaticAlloca() ? Cost() : Cost(0);
  if (I.isAtomic() || I.isVolatile())
    return AtomicUnits;
  if (auto *Memory = dyn_cast<MemIntrinsic>(&I)) {
    auto *Length = dyn_cast<ConstantInt>(Memory->getLength());
    if (!Length || Length->getValue().ugt(MostBytes))
      return std::nullopt;
    return CallUnits + Length->getZExtValue() / BytesPerUnit;
  }
  auto *Call = dyn_cast<CallBase>(&I);
  if (Call && !isa<IntrinsicInst>(I) && !Call->isInlineAsm()) {
    Function *Callee = Call->getCalledFunction();
    const Cost Whole = Callee ? ofCallee(*Callee) : std::nullopt;
    return Whole ? Cost(*Whole + CallUnits) : std::nullopt;
  }
  if (isa<ResumeInst>(I))
    return std::nullopt;
  const auto Known = split::costOf(I, FAM.getResult<TargetIRAnalysis>(*I.getFunction()));
  return Known ? Cost(static_cast<unsigned>(*Known)) : std::nullopt;
}

std::optional<unsigned> CodeCost::forward(BasicBlock::iterator From, BasicBlock &BB) {
  if (endsProcess(BB))
    return 0;
  unsigned Sum = 0;
  for (; From != BB.end(); ++From) {
    if (isStrandHook(*From))
      return Sum;
    const Cost One = ofInstruction(*From);
    if (!One || (Sum += *One) > NOPAL_SPAN_MOST_UNITS)
      return std::nullopt;
  }
  unsigned Rest = 0;
  for (BasicBlock *Next : successors(&BB)) {
    if (Next->isEHPad() || (Current.contains(Next) && repeatsExchange(BB)))
      continue;
    const auto [Known, IsNew] = Forward.try_emplace(Next, std::nullopt);
    Cost One = Known->second;
    if (IsNew && Depth < MostBlocks) {
      Current.insert(Next);
      ++Depth;
      One = forward(Next->begin(), *Next);
      --Depth;
      Current.erase(Next);
      Forward[Next] = One;
    }
    if (!One || Sum + *One > NOPAL_SPAN_MOST_UNITS)
      return std::nullopt;
    Rest = std::max(Rest, *One);
  }
  return Sum + Rest;
}

unsigned CodeCost::backward(BasicBlock::iterator From, BasicBlock &BB) {
  unsigned Sum = 0;
  while (From != BB.begin()) {
    --From;
    if (isStrandHook(*From))
      return Sum;
    Sum += ofInstruction(*From).value_or(0);
  }
  unsigned Rest = 0;
  for (BasicBlock *Before : predecessors(&BB)) {
    const auto [Known, IsNew] = Backward.try_emplace(Before, 0);
    unsigned One = Known->second;
    if (IsNew && Depth < MostBlocks) {
      ++Depth;
      One = backward(Before->end(), *Before);
      --Depth;
      Backward[Before] = One;
    }
    Rest = std::max(Rest, One);
  }
  return std::min(Sum + Rest, NOPAL_SPAN_UNITS);
}

std::optional<unsigned> CodeCost::upToHook(Instruction &I) {
  return forward(std::next(I.getIterator()), *I.getParent());
}

unsigned CodeCost::sinceHook(Instruction &I) {
  return std::max(1u, backward(I.getIterator(), *I.getParent()));
}
