//===- ThreadBound.cpp - Values that are right for one thread -------------===//
//
// See ThreadBound.h.
//
//===----------------------------------------------------------------------===//
#include "ThreadBound.h"

#include "../outline/Outline.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

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

/// An address made from a thread-bound value by arithmetic alone.
static bool isDerived(const Value &V) {
  if (!isa<GetElementPtrInst, PtrToIntInst, AddrSpaceCastInst>(V))
    return false;
  const Value *Base = cast<Instruction>(V).getOperand(0);
  return isThreadBound(*Base) || isDerived(*Base);
}

/// A copy of the derived address \p V before \p Where.
static Value *computeAgain(Value *V, BasicBlock::iterator Where) {
  if (!isDerived(*V))
    return V;
  Instruction *Copy = cast<Instruction>(V)->clone();
  Copy->setOperand(0, computeAgain(Copy->getOperand(0), Where));
  Copy->insertBefore(Where);
  return Copy;
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
        Again = computeAgain(U->get(), Pred->getTerminator()->getIterator());
      U->set(Again);
      continue;
    }
    U->set(computeAgain(U->get(), cast<Instruction>(U->getUser())->getIterator()));
  }
}

bool nopal::mayMigrate(const Instruction &I) {
  const auto *CB = dyn_cast<CallBase>(&I);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  return Callee && Callee->hasFnAttribute(MigratesAttr);
}

/// Replaces the uses of \p V that a migration may precede; \p Behind are the
/// blocks in front of which one may lie.
static void recompute(Instruction &V, ArrayRef<BasicBlock *> Behind) {
  BasicBlock *Home = V.getParent();
  SmallVector<Use *, 16> Uses;
  for (Use &U : V.uses()) {
    auto *User = cast<Instruction>(U.getUser());
    if (User->getParent() != Home || isa<PHINode>(User))
      Uses.push_back(&U);
  }
  if (Uses.empty())
    return;
  SSAUpdater Update;
  Update.Initialize(V.getType(), V.getName());
  Update.AddAvailableValue(Home, &V);
  DenseMap<BasicBlock *, Instruction *> Again;
  for (BasicBlock *BB : Behind) {
    if (BB == Home)
      continue;
    Instruction *Copy = V.clone();
    Copy->setName(V.getName());
    Copy->insertBefore(BB->getFirstInsertionPt());
    Update.AddAvailableValue(BB, Again[BB] = Copy);
  }
  for (Use *U : Uses) {
    auto *User = cast<Instruction>(U->getUser());
    auto Here = Again.find(User->getParent());
    if (Here != Again.end() && !isa<PHINode>(User))
      U->set(Here->second);
    else
      Update.RewriteUse(*U);
  }
  for (auto [BB, Copy] : Again)
    if (Copy->use_empty())
      Copy->eraseFromParent();
}

bool nopal::recomputeBehindMigrations(Function &F) {
  SmallVector<CallBase *, 8> Calls;
  SmallVector<Instruction *, 8> Values;
  for (Instruction &I : instructions(F)) {
    if (mayMigrate(I))
      Calls.push_back(cast<CallBase>(&I));
    else if (isThreadBound(I) && isa<CallInst>(I))
      Values.push_back(&I);
  }
  if (Calls.empty() || Values.empty())
    return !Calls.empty();
  sinkThreadBoundAddresses(F);
  SmallSetVector<BasicBlock *, 16> Behind;
  for (CallBase *Call : Calls) {
    if (auto *II = dyn_cast<InvokeInst>(Call)) {
      Behind.insert(II->getNormalDest());
      Behind.insert(II->getUnwindDest());
    } else {
      Behind.insert(SplitBlock(Call->getParent(), std::next(Call->getIterator())));
    }
  }
  for (Instruction *V : Values)
    recompute(*V, Behind.getArrayRef());
  return true;
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
