//===- FastClone.cpp - Building the fast clone ----------------------------===//
//
// See Clones.cpp for the pictures. The fast clone keeps the function's name, type
// and ABI. As long as nothing is stolen it is the serial program plus a push and
// a pop a spawn; all else here is cold.
//
//===----------------------------------------------------------------------===//
#include "Splitter.h"

#include "ThreadBound.h"
#include "nopal_abi.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;

/// The block where a fast clone goes on after it was suspended.
void Splitter::buildResume() {
  LLVMContext &C = M.getContext();
  auto *Resume = BasicBlock::Create(C, "resume", &F);
  for (BasicBlock &BB : F) {
    Instruction *End = BB.getTerminator(); // none in Resume yet
    Instruction *Last = End ? End->getPrevNode() : nullptr;
    if (!Last || !(isMarker(*Last, "nopal_suspend") ||
                   isMarker(*Last, "nopal_suspend_thrown")))
      continue;
    End->eraseFromParent();
    BranchInst::Create(Resume, &BB)->setDebugLoc(Last->getDebugLoc());
  }
  auto *Never = BasicBlock::Create(C, "never", &F);
  new UnreachableInst(C, Never);
  B.SetInsertPoint(Resume);
  B.SetCurrentDebugLocation(
      F.getSubprogram() ? DebugLoc(DILocation::get(C, 0, 0, F.getSubprogram()))
                        : DebugLoc());
  Value *Where = B.CreateLoad(
      B.getInt32Ty(), field(offsetof(nopal_frame, resume)), "where");
  SwitchInst *Switch = B.CreateSwitch(Where, Never);
  FunctionCallee Raise = RT.entry("nopal_raise_pending");
  auto *Nowhere = BasicBlock::Create(C, "raised", &F);
  new UnreachableInst(C, Nowhere);
  // A copy of the landing pad that takes nothing back: the frame is here again.
  auto PadAgain = [&](const Landing &L) {
    auto *Pad = BasicBlock::Create(C, "raise.pad", &F);
    Instruction *LP = L.inst()->clone();
    LP->insertInto(Pad, Pad->end());
    new StoreInst(LP, Fr->Shadows[L.inst()], Pad);
    BranchInst::Create(L.Rest, Pad);
    return Pad;
  };
  auto ResumeBlock = [&](BasicBlock *Entry) {
    auto *BB = BasicBlock::Create(C, "resume.at", &F);
    Switch->addCase(B.getInt32(ResumeAt[Entry]), BB);
    B.SetInsertPoint(BB);
    loadCrossing(Entry, nullptr);
  };
  for (SyncPoint &S : P.Syncs) {
    ResumeBlock(S.After);
    if (P.MayThrow && S.Unwind) {
      loadCrossing(S.Unwind.Rest, nullptr);
      B.CreateInvoke(Raise, S.After, PadAgain(S.Unwind), {Base});
    } else {
      if (P.MayThrow)
        B.CreateCall(Raise, {Base});
      B.CreateBr(S.After);
    }
  }
  auto RaiseAt = [&](const Landing &L) {
    ResumeBlock(L.Rest);
    B.CreateInvoke(Raise, Nowhere, PadAgain(L), {Base});
  };
  for (ThrowPoint &T : P.Throws)
    RaiseAt(T.Unwind);
  for (SpawnPoint &S : P.Spawns)
    if (S.Unwind && ResumeAt.count(S.Unwind.Rest))
      RaiseAt(S.Unwind);
  if (P.MayThrow) {
    auto *BB = BasicBlock::Create(C, "resume.throw", &F);
    Switch->addCase(B.getInt32(PlainThrow), BB);
    B.SetInsertPoint(BB);
    B.CreateCall(Raise, {Base});
    B.CreateUnreachable();
  }
}

void Splitter::buildFast() {
  Base = Fr->Memory;
  for (auto [I, S] : enumerate(P.Spawns))
    lowerSpawn(S, I, Clone::Fast, nullptr);
  buildResume();
  for (SyncPoint &S : P.Syncs) {
    // Nothing was stolen from this function, but a function that it called may
    // have come back on another thread.
    B.SetInsertPoint(S.Marker);
    B.SetCurrentDebugLocation(S.Marker->getDebugLoc());
    for (Value *V : X->liveInto(S.After))
      if (isThreadBound(*V))
        B.CreateStore(B.CreateCall(RT.threadBoundAccessor(*cast<CallBase>(V))),
                      Fr->Shadows[V]);
    eraseMarker(*S.Marker);
  }
  freeArena();
  SmallVector<AllocaInst *, 16> Shadows;
  for (auto &[V, Shadow] : Fr->Shadows)
    Shadows.push_back(Shadow);
  finish(F, Shadows);
}

/// What a slow clone took from the arena is given back when the function ends,
/// however it ends. A stack pointer that a slow clone "saved" is null.
void Splitter::freeArena() {
  if (!NeedsArena)
    return;
  LLVMContext &C = M.getContext();
  removeUnreachableBlocks(F);
  B.SetInsertPoint(&F.getEntryBlock(), std::next(Fr->Memory->getIterator()));
  B.SetCurrentDebugLocation(DebugLoc());
  B.CreateStore(Constant::getNullValue(B.getPtrTy()),
                field(offsetof(nopal_frame, arena)));
  SmallVector<Instruction *, 8> Ends, Restores;
  SmallVector<CallInst *, 16> Plain;
  for (Instruction &I : instructions(F)) {
    if (isa<ReturnInst, ResumeInst>(I))
      Ends.push_back(&I);
    else if (auto *II = dyn_cast<IntrinsicInst>(&I);
             II && II->getIntrinsicID() == Intrinsic::stackrestore)
      Restores.push_back(&I);
    else if (auto *CI = dyn_cast<CallInst>(&I);
             CI && P.MayThrow && mayUnwind(*CI))
      Plain.push_back(CI);
  }
  auto FreeBefore = [&](Instruction *End) {
    B.SetInsertPoint(End);
    Value *Arena = B.CreateLoad(B.getPtrTy(), field(offsetof(nopal_frame, arena)));
    Instruction *Then = SplitBlockAndInsertIfThen(
        B.CreateIsNotNull(Arena), End->getIterator(), /*Unreachable=*/false,
        MDBuilder(C).createBranchWeights(1, 2000));
    B.SetInsertPoint(Then);
    B.CreateCall(RT.entry("nopal_arena_free"), {Base});
  };
  for (Instruction *End : Ends)
    FreeBefore(End);
  for (Instruction *R : Restores) {
    Value *Saved = cast<CallInst>(R)->getArgOperand(0);
    B.SetInsertPoint(R);
    Instruction *Then = SplitBlockAndInsertIfThen(
        B.CreateIsNotNull(Saved), R->getIterator(), /*Unreachable=*/false);
    R->moveBefore(Then->getIterator());
  }
  if (Plain.empty())
    return;
  if (!F.hasPersonalityFn())
    F.setPersonalityFn(cast<Constant>(
        M.getOrInsertFunction("__gxx_personality_v0",
                              FunctionType::get(B.getInt32Ty(), true))
            .getCallee()));
  auto *Pad = BasicBlock::Create(C, "arena.pad", &F);
  B.SetInsertPoint(Pad);
  LandingPadInst *LP =
      B.CreateLandingPad(StructType::get(B.getPtrTy(), B.getInt32Ty()), 0);
  LP->setCleanup(true);
  ResumeInst *End = B.CreateResume(LP);
  for (CallInst *CI : Plain)
    changeToInvokeAndSplitBasicBlock(CI, Pad);
  FreeBefore(End);
}

