//===- ThreadBound.cpp - Values that are right for one thread -------------===//
//
// See ThreadBound.h.
//
//===----------------------------------------------------------------------===//
#include "ThreadBound.h"

#include "../contract/Refusal.h"
#include "../markers/Attributes.h"
#include "../markers/Markers.h"
#include "MarkerCalls.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;

static bool isIntrinsic(const Function &Callee) {
  return Callee.getIntrinsicID() == Intrinsic::threadlocal_address ||
         Callee.getIntrinsicID() == Intrinsic::thread_pointer;
}

bool nopal::isThreadBound(const Value &V) {
  const auto *CB = dyn_cast<CallBase>(&V);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  if (!Callee)
    return false;
  if (isIntrinsic(*Callee))
    return true;
  if (!CB->arg_empty() || !CB->doesNotAccessMemory())
    return false;
  return Callee->getName() == "__errno_location" ||
         Callee->getName() == "pthread_self" ||
         Callee->getName() == "__cxa_get_globals";
}

bool nopal::isThreadBoundRead(const Value &V) {
  const auto *I = dyn_cast<Instruction>(&V);
  return I && isMarker(*I, marker::ThreadBound) && isa<Constant>(I->getOperand(0));
}

Constant *nopal::keyOf(const CallBase &Read) {
  return cast<Constant>(Read.getArgOperand(0));
}

/// The marker. It reads what nobody can name: so it is merged with another, and
/// moved, only where nothing in between might change the thread. It is not merged
/// with that of another variable, as its operand has to stay a constant.
static FunctionCallee readMarker(Module &M) {
  auto *Ptr = PointerType::getUnqual(M.getContext());
  FunctionCallee Marker = M.getOrInsertFunction(marker::ThreadBound, Ptr, Ptr);
  auto *F = cast<Function>(Marker.getCallee());
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref));
  for (Attribute::AttrKind K :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync,
        Attribute::NoFree, Attribute::NoCallback, Attribute::NoMerge})
    F->addFnAttr(K);
  return Marker;
}

Value *nopal::createThreadBound(IRBuilderBase &B, Constant *Key) {
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

void nopal::replaceThreadBound(CallBase &Old, Value *New) {
  if (!Old.getType()->isPointerTy())
    New = IRBuilder<>(&Old).CreatePtrToInt(New, Old.getType());
  New->takeName(&Old);
  Old.replaceAllUsesWith(New);
  if (auto *II = dyn_cast<InvokeInst>(&Old))
    changeToCall(II)->eraseFromParent();
  else
    Old.eraseFromParent();
}

bool nopal::markThreadBoundReads(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isThreadBound(I))
      continue;
    auto &Old = cast<CallBase>(I);
    Constant *Key = Old.getCalledFunction();
    if (isIntrinsic(*Old.getCalledFunction()))
      Key = Old.arg_empty() ? ConstantPointerNull::get(
                                  PointerType::getUnqual(F.getContext()))
                            : cast<Constant>(Old.getArgOperand(0));
    IRBuilder<> B(&Old);
    CallInst *Read = B.CreateCall(readMarker(*F.getParent()), {Key});
    if (isa<GlobalValue>(Key) && !isa<Function>(Key)) {
      Read->addRetAttr(Attribute::NonNull);
      Read->addRetAttr(Attribute::getWithAlignment(
          F.getContext(), Key->getPointerAlignment(F.getDataLayout())));
    }
    replaceThreadBound(Old, Read);
    Changed = true;
  }
  return Changed;
}

bool nopal::markThreadBoundReads(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    Changed |= markThreadBoundReads(F);
  return Changed;
}

bool nopal::isSpawned(const Function &F) {
  return F.hasFnAttribute(HelperAttr) && any_of(F.users(), [](const User *U) {
           const auto *I = dyn_cast<Instruction>(U);
           return I && isMarker(*I, marker::Spawn);
         });
}

/// A function that hands such a value out must not be inferred to be a constant,
/// or two calls of it are merged: a marker touches memory that nobody can name.
static void keepCallsApart(Function &F) {
  if (F.getReturnType()->isVoidTy() &&
      none_of(F.args(), [](Argument &A) { return A.getType()->isPointerTy(); }))
    return;
  Module &M = *F.getParent();
  FunctionCallee Apart = M.getOrInsertFunction(
      marker::ThreadApart, Type::getVoidTy(F.getContext()));
  auto *Callee = cast<Function>(Apart.getCallee());
  Callee->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (Attribute::AttrKind K : {Attribute::NoUnwind, Attribute::WillReturn,
                                Attribute::NoSync, Attribute::NoFree,
                                Attribute::NoCallback})
    Callee->addFnAttr(K);
  CallInst::Create(Apart, {}, "", F.getEntryBlock().getFirstInsertionPt());
}

PreservedAnalyses ThreadBoundPass::run(Function &F, FunctionAnalysisManager &) {
  Module &M = *F.getParent();
  if (!M.getFunction(marker::ThreadBound)) // computes none, or does not spawn
    return PreservedAnalyses::all();
  bool Changed = false, Bound = false;
  // The mark of a callee that was inlined is the caller's business from here on.
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isMarker(I, marker::ThreadApart)) {
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
