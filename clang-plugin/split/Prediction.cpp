//===- Prediction.cpp - What is expected in the predicted bottom ----------===//
//
// See Prediction.h.
//
//===----------------------------------------------------------------------===//
#include "Prediction.h"

#include "Marks.h"
#include "Options.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

static const cl::opt<bool> &PredictBottom = option<bool>(
    "nopal-predict-bottom", true,
    "Expect the deque's bottom in r10, where a memory checker may find what the "
    "program never initialized");

/// Between two moves of bottom that are further apart than that a register costs
/// more than it saves, and a load has come back meanwhile.
static constexpr unsigned MostBetween = 64;

/// Whether \p I is one of the fast path's empty assemblies: of no operand if it says what is in the register,
/// of one if it puts that there.
static bool isPrediction(const Instruction &I, unsigned Operands) {
  return I.hasMetadata(mark::Prediction) && cast<CallInst>(I).arg_size() == Operands;
}

/// No bottom is this where a push may be fast.
static Value *nothing(const Instruction &Read) {
  return ConstantInt::get(Read.getType(), 0);
}

void split::findPrediction(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    if (!Asm || !StringRef(Asm->getConstraintString()).starts_with("={r10}"))
      continue;
    if (PredictBottom || !Call->arg_empty()) {
      mark::set(I, mark::Prediction);
      continue;
    }
    I.replaceAllUsesWith(nothing(I));
    I.eraseFromParent();
  }
}

/// What the last move of bottom before \p Read left, if no call came after it, on
/// no path but one through the fast path's cold calls; else null.
static Value *lastLeftBefore(Instruction &Read) {
  SSAUpdater Known;
  Known.Initialize(Read.getType(), "bottom");
  SmallPtrSet<BasicBlock *, 8> Seen;
  SmallVector<BasicBlock *, 8> Work;
  unsigned Passed = 0;
  bool IsLeftSomewhere = false;
  // What is known after the last instruction before From, or null; false if
  // the walk is to end.
  auto Scan = [&](BasicBlock &BB, BasicBlock::reverse_iterator From, Value *&Left) {
    for (Instruction &I : make_range(From, BB.rend())) {
      if (isPrediction(I, 1)) {
        Left = &I;
        IsLeftSomewhere = true;
        return true;
      }
      if (I.isLifetimeStartOrEnd())
        continue;
      if (++Passed > MostBetween)
        return false;
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->isInlineAsm() || isa<IntrinsicInst>(Call))
        continue;
      if (!Call->hasFnAttr(Attribute::Cold))
        return false;
      Left = nothing(Read);
      return true;
    }
    return true;
  };
  BasicBlock *Home = Read.getParent();
  Value *Left = nullptr;
  if (!Scan(*Home, std::next(Read.getReverseIterator()), Left))
    return nullptr;
  if (Left)
    return IsLeftSomewhere ? Left : nullptr;
  if (pred_empty(Home))
    return nullptr;
  append_range(Work, predecessors(Home));
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (!Seen.insert(BB).second)
      continue;
    Left = nullptr;
    if (!Scan(*BB, BB->rbegin(), Left))
      return nullptr;
    if (Left) {
      Known.AddAvailableValue(BB, Left);
      continue;
    }
    if (pred_empty(BB))
      return nullptr;
    append_range(Work, predecessors(BB));
  }
  return IsLeftSomewhere ? Known.GetValueInMiddleOfBlock(Home) : nullptr;
}

PreservedAnalyses CarryPredictionPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M) {
    if (!mark::isClone(F) && !F.hasFnAttribute(mark::FastPath))
      continue;
    SmallVector<Instruction *, 8> Reads;
    for (Instruction &I : instructions(F))
      if (isPrediction(I, 0))
        Reads.push_back(&I);
    for (Instruction *Read : Reads)
      if (Value *Left = lastLeftBefore(*Read)) {
        Read->replaceAllUsesWith(Left);
        Read->eraseFromParent();
        Changed = true;
      }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
