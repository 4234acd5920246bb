//===- ThreadBound.cpp - Values that are right for one thread -------------===//
//
// See ThreadBound.h.
//
//===----------------------------------------------------------------------===//
#include "ThreadBound.h"

#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "../contract/Refusal.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;

static bool isIntrinsic(const Function &Callee) {
  return Callee.getIntrinsicID() == Intrinsic::threadlocal_address ||
         Callee.getIntrinsicID() == Intrinsic::thread_pointer;
}

bool analysis::isThreadBound(const Value &V) {
  const auto *CB = dyn_cast<CallBase>(&V);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  if (!Callee)
    return false;
  if (isIntrinsic(*Callee))
    return true;
  if (!CB->arg_empty() || !CB->doesNotAccessMemory())
    return false;
  return Callee->getName() == "__errno_location" || Callee->getName() == "pthread_self" ||
         Callee->getName() == "__cxa_get_globals";
}

bool analysis::isThreadBoundRead(const Value &V) {
  const auto *Read = dyn_cast<ThreadBoundMarker>(&V);
  return Read && isa<Constant>(Read->key());
}

Constant *analysis::keyOf(const CallBase &Read) {
  return cast<Constant>(cast<ThreadBoundMarker>(Read).key());
}

Value *analysis::createThreadBound(IRBuilderBase &B, Constant *Key) {
  if (Key->isNullValue())
    return B.CreateIntrinsic(Intrinsic::thread_pointer, {B.getPtrTy()}, {});
  auto *Callee = dyn_cast<Function>(Key);
  if (!Callee)
    return B.CreateThreadLocalAddress(Key);
  CallInst *Call = B.CreateCall(Callee);
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  if (Call->getType()->isPointerTy())
    return Call;
  return B.CreateIntToPtr(Call, B.getPtrTy());
}

void analysis::replaceThreadBound(CallBase &Old, Value *New) {
  if (!Old.getType()->isPointerTy())
    New = IRBuilder<>(&Old).CreatePtrToInt(New, Old.getType());
  New->takeName(&Old);
  Old.replaceAllUsesWith(New);
  if (auto *II = dyn_cast<InvokeInst>(&Old))
    changeToCall(II)->eraseFromParent();
  else
    Old.eraseFromParent();
}

bool analysis::markThreadBoundReads(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isThreadBound(I))
      continue;
    auto &Old = cast<CallBase>(I);
    Constant *Key = Old.getCalledFunction();
    if (isIntrinsic(*Old.getCalledFunction()))
      Key = Old.arg_empty() ? ConstantPointerNull::get(PointerType::getUnqual(F.getContext()))
                            : cast<Constant>(Old.getArgOperand(0));
    IRBuilder<> B(&Old);
    CallInst *Read = ThreadBoundMarker::create(Old.getIterator(), Key);
    Read->setDebugLoc(Old.getDebugLoc());
    if (isa<GlobalValue>(Key) && !isa<Function>(Key)) {
      Read->addRetAttr(Attribute::NonNull);
      Read->addRetAttr(
          Attribute::getWithAlignment(F.getContext(), Key->getPointerAlignment(F.getDataLayout())));
    }
    replaceThreadBound(Old, Read);
    Changed = true;
  }
  return Changed;
}

bool analysis::markThreadBoundReads(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    Changed |= markThreadBoundReads(F);
  return Changed;
}

bool analysis::isSpawned(const Function &F) {
  return F.hasFnAttribute(HelperAttr) && any_of(F.users(), [](const User *U) {
           const auto *I = dyn_cast<Instruction>(U);
           return I && isMarker(*I, Marker::Spawn);
         });
}

/// A function that hands such a value out must not be inferred to be a constant,
/// or two calls of it are merged: a marker touches memory that nobody can name.
static void keepCallsApart(Function &F) {
  if (F.getReturnType()->isVoidTy() &&
      none_of(F.args(), [](Argument &A) { return A.getType()->isPointerTy(); }))
    return;
  ThreadApartMarker::create(F.getEntryBlock().getFirstInsertionPt());
}

PreservedAnalyses ThreadBoundPass::run(Function &F, FunctionAnalysisManager &) {
  Module &M = *F.getParent();
  if (!declarationOf(M, Marker::ThreadBound)) // computes none, or does not spawn
    return PreservedAnalyses::all();
  bool Changed = false, Bound = false;
  // The mark of a callee that was inlined is the caller's business from here on.
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isMarker(I, Marker::ThreadApart)) {
      I.eraseFromParent();
      Changed = true;
    }
  if (F.hasFnAttribute(ThreadChangesAttr) || isSpawned(F)) {
    Changed |= markThreadBoundReads(F);
  } else {
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (isThreadBoundRead(I)) {
        auto &Read = cast<CallBase>(I);
        IRBuilder<> B(&Read);
        replaceThreadBound(Read, createThreadBound(B, keyOf(Read)));
        Changed = true;
        Bound = true;
      } else {
        Bound |= isThreadBound(I);
      }
    }
    if (Bound) {
      keepCallsApart(F);
      Changed = true;
    }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
