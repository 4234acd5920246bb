//===- EarlyReturns.cpp - Early paths return without a stack frame --------===//
//
// See EarlyReturns.h.
//
//   pad:    %e = landingpad                        pad:    %e = landingpad
//           resume %e                                      call _Unwind_Resume(%e)
//   raise:  call nopal_raise_pending(...)    =>            br end
//           unreachable                            raise:  call nopal_raise_pending(...)
//   end:    %r = phi [%n, entry], ...                      br end
//           ret %r                                 end:    %r = phi [%n, entry], ..., [0, pad],
//                                                                   [0, raise]
//                                                          ret %r
//
// `resume` becomes that call in any case, but code generation marks it as one that does not return.
// Inlined into a function that catches, the call would be wrong: the unwinder has left the handler
// that it is looking for.
//
//===----------------------------------------------------------------------===//
#include "EarlyReturns.h"

#include "../analysis/Functions.h"
#include "../split/Marks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::early;
using namespace nopal::split;

/// The first instruction of \p BB that does more than put together what is returned.
static Instruction &firstWork(BasicBlock &BB) {
  BasicBlock::iterator I = BB.getFirstNonPHIIt();
  while (isa<InsertValueInst>(*I))
    ++I;
  return *I;
}

/// The only block of \p F that returns; null if there are none or several, or if it does more.
static BasicBlock *onlyReturn(Function &F) {
  BasicBlock *Found = nullptr;
  for (BasicBlock &BB : F) {
    if (!isa<ReturnInst>(BB.getTerminator()))
      continue;
    if (Found || &firstWork(BB) != BB.getTerminator())
      return nullptr;
    Found = &BB;
  }
  return Found;
}

/// True if control can come from \p F's entry to \p End without a call or a store.
static bool returnsEarly(Function &F, const BasicBlock &End) {
  SmallVector<BasicBlock *, 8> Rest{&F.getEntryBlock()};
  SmallPtrSet<BasicBlock *, 8> Seen(Rest.begin(), Rest.end());
  while (!Rest.empty()) {
    BasicBlock *BB = Rest.pop_back_val();
    if (BB == &End)
      return true;
    if (any_of(*BB, [](Instruction &I) { return I.mayHaveSideEffects(); }))
      continue;
    for (BasicBlock *Next : successors(BB))
      if (Seen.insert(Next).second)
        Rest.push_back(Next);
  }
  return false;
}

/// True if \p End, an `unreachable`, ends a path that has left the function by a call of the
/// runtime.
static bool followsRuntime(const UnreachableInst &End) {
  const BasicBlock &BB = *End.getParent();
  if (&*BB.getFirstNonPHIOrDbg() == &End)
    return any_of(predecessors(&BB), [](const BasicBlock *Before) {
      return isa<InvokeInst>(Before->getTerminator());
    });
  const auto *Call = dyn_cast_or_null<CallInst>(End.getPrevNode());
  return Call && !Call->doesNotReturn() && !isa<IntrinsicInst>(Call);
}

/// Makes phis of the instructions of other blocks of which \p End makes the result, so that \p End
/// may get more predecessors.
static void makeResultPhis(BasicBlock &End) {
  for (Instruction &I : make_range(End.getFirstNonPHIIt(), End.end()))
    for (Use &U : I.operands()) {
      auto *Part = dyn_cast<Instruction>(U.get());
      if (!Part || Part->getParent() == &End)
        continue;
      PHINode *Phi = PHINode::Create(Part->getType(), 0, "", End.begin());
      for (BasicBlock *Before : predecessors(&End))
        Phi->addIncoming(Part, Before);
      U.set(Phi);
    }
}

/// True if something has changed.
static bool leaveByOneReturn(Function &F) {
  BasicBlock *End = onlyReturn(F);
  if (!End || End == &F.getEntryBlock() || !returnsEarly(F, *End))
    return false;
  SmallVector<Instruction *, 4> Leaves;
  for (BasicBlock &BB : F) {
    Instruction *Last = BB.getTerminator();
    auto *Never = dyn_cast<UnreachableInst>(Last);
    if (isa<ResumeInst>(Last) || (Never && followsRuntime(*Never)))
      Leaves.push_back(Last);
  }
  if (!Leaves.empty())
    makeResultPhis(*End);
  for (Instruction *Leave : Leaves) {
    IRBuilder<> B(Leave);
    if (auto *Resume = dyn_cast<ResumeInst>(Leave)) {
      FunctionCallee Continue =
          F.getParent()->getOrInsertFunction("_Unwind_Resume", B.getVoidTy(), B.getPtrTy());
      B.CreateCall(Continue, B.CreateExtractValue(Resume->getValue(), 0))
          ->addFnAttr(Attribute::Cold);
    }
    B.CreateBr(End);
    for (PHINode &Phi : End->phis())
      Phi.addIncoming(Constant::getNullValue(Phi.getType()), Leave->getParent());
    Leave->eraseFromParent();
  }
  return !Leaves.empty();
}

PreservedAnalyses EarlyReturnsPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    if (mark::isFastClone(F) && !F.hasFnAttribute(Attribute::OptimizeNone) &&
        !isInstrumented(F)) // which adds code to each `resume`
      Changed |= leaveByOneReturn(F);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
