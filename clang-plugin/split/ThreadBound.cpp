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
  if (Callee->getIntrinsicID() == Intrinsic::threadlocal_address)
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

void nopal::makeThreadBoundCallsOpaque(Function &Clone, BasicBlock *Except,
                                       Runtime &RT) {
  for (Instruction &I : make_early_inc_range(instructions(Clone))) {
    if (!isThreadBound(I) || I.getParent() == Except)
      continue;
    auto &CB = cast<CallBase>(I);
    auto *New = CallInst::Create(RT.threadBoundAccessor(CB), {}, "",
                                 CB.getIterator());
    New->setDebugLoc(CB.getDebugLoc());
    New->takeName(&CB);
    CB.replaceAllUsesWith(New);
    if (auto *II = dyn_cast<InvokeInst>(&CB))
      changeToCall(II)->eraseFromParent();
    else
      CB.eraseFromParent();
  }
}
