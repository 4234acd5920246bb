//===- ThreadBound.cpp - Values that are right for one thread -------------===//
//
// See ThreadBound.h.
//
//===----------------------------------------------------------------------===//
#include "ThreadBound.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;

bool nopal::isThreadBound(const Value &V) {
  const auto *CB = dyn_cast<CallBase>(&V);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  if (!Callee)
    return false;
  if (Callee->getIntrinsicID() == Intrinsic::threadlocal_address ||
      Callee->getIntrinsicID() == Intrinsic::thread_pointer)
    return true;
  if (!CB->arg_empty() || !CB->doesNotAccessMemory())
    return false;
  return Callee->getName() == "__errno_location" ||
         Callee->getName() == "pthread_self" ||
         Callee->getName() == "__cxa_get_globals";
}

/// An empty asm that touches only memory nobody can name costs nothing and keeps
/// the function from being "memory(none)".
void nopal::keepThreadBoundResultsApart(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration() || F.getReturnType()->isVoidTy() ||
        none_of(instructions(F), [](Instruction &I) { return isThreadBound(I); }))
      continue;
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    CallInst *Asm = B.CreateCall(
        InlineAsm::get(FunctionType::get(B.getVoidTy(), false), "", "",
                       /*hasSideEffects=*/true));
    Asm->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    Asm->setDoesNotThrow();
  }
}

/// An address made from a thread-bound value by arithmetic alone.
static bool isDerived(const Value &V) {
  if (!isa<GetElementPtrInst, PtrToIntInst, AddrSpaceCastInst>(V))
    return false;
  const Value *Base = cast<Instruction>(V).getOperand(0);
  return isThreadBound(*Base) || isDerived(*Base);
}

Value *nopal::computeAgain(
    Value *V, BasicBlock::iterator Where,
    function_ref<Value *(CallBase &, BasicBlock::iterator)> Root) {
  if (!isDerived(*V))
    return Root(cast<CallBase>(*V), Where);
  Instruction *Copy = cast<Instruction>(V)->clone();
  Copy->setOperand(0, computeAgain(Copy->getOperand(0), Where, Root));
  Copy->insertBefore(Where);
  return Copy;
}

/// For addresses that are sunk: the thread-bound value stays where it is.
static Value *same(CallBase &V, BasicBlock::iterator) { return &V; }

SmallVector<Use *, 16> nopal::usesOfAddress(Value &V) {
  SmallVector<Use *, 16> Result;
  SmallVector<Value *, 4> Work{&V};
  while (!Work.empty())
    for (Use &U : Work.pop_back_val()->uses()) {
      if (isDerived(*U.getUser()) && U.getOperandNo() == 0)
        Work.push_back(U.getUser());
      else
        Result.push_back(&U);
    }
  return Result;
}

void nopal::sinkThreadBoundAddresses(Function &F) {
  SmallVector<Use *, 16> Far;
  for (Instruction &I : instructions(F))
    if (isDerived(I))
      for (Use &U : I.uses()) {
        auto *User = cast<Instruction>(U.getUser());
        if ((User->getParent() != I.getParent() || isa<PHINode>(User)) &&
            !isDerived(*User))
          Far.push_back(&U);
      }
  DenseMap<std::pair<Value *, BasicBlock *>, Value *> AtEnd; // for phis
  for (Use *U : Far) {
    if (auto *Phi = dyn_cast<PHINode>(U->getUser())) {
      BasicBlock *Pred = Phi->getIncomingBlock(*U);
      Value *&Again = AtEnd[{U->get(), Pred}];
      if (!Again)
        Again = computeAgain(U->get(), Pred->getTerminator()->getIterator(), same);
      U->set(Again);
      continue;
    }
    U->set(computeAgain(U->get(), cast<Instruction>(U->getUser())->getIterator(),
                        same));
  }
}

void nopal::replaceByAccessor(CallBase &V, Runtime &RT) {
  auto *New =
      CallInst::Create(RT.threadBoundAccessor(V), {}, "", V.getIterator());
  New->setDebugLoc(V.getDebugLoc());
  New->takeName(&V);
  V.replaceAllUsesWith(New);
  if (auto *II = dyn_cast<InvokeInst>(&V))
    changeToCall(II)->eraseFromParent();
  else
    V.eraseFromParent();
}

void nopal::makeThreadBoundCallsOpaque(Function &Clone, BasicBlock *Except,
                                       Runtime &RT) {
  for (Instruction &I : make_early_inc_range(instructions(Clone)))
    if (isThreadBound(I) && I.getParent() != Except)
      replaceByAccessor(cast<CallBase>(I), RT);
}
