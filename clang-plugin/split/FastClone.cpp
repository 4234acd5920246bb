//===- FastClone.cpp - Building the fast clone ----------------------------===//
//
// See Clones.cpp for the pictures. The fast clone keeps the function's name, type and ABI. While
// nothing is stolen it is the serial program plus a push and a pop for each spawn; all else here is
// cold.
//
//===----------------------------------------------------------------------===//
#include "DebugValues.h"
#include "Privates.h"
#include "Splitter.h"

#include "../analysis/Functions.h"
#include "../contract/Markers.h"
#include "nopal_abi.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

static MDNode *seldom(LLVMContext &C) { return MDBuilder(C).createBranchWeights(1, 2000); }

/// Code inserted before the result runs before \p Where if \p Condition holds, which is rare.
static Instruction *ifSeldom(Value *Condition, Instruction &Where) {
  return SplitBlockAndInsertIfThen(Condition, Where.getIterator(), /*Unreachable=*/false,
                                   seldom(Where.getContext()));
}

/// Whether a value is better read from its slot after a spawn than kept in a register. A
/// caller-saved register must be spilled to a second place. A callee-saved one costs a push and a
/// pop in each activation, early returns included. In a loop that is paid once, and a load in each
/// iteration.
static bool isReloaded(const Value &V, bool InLoop) {
  return !InLoop || !V.getType()->isIntOrPtrTy();
}

/// Reads the values that are live into \p Entry again. The insertion point is in or after \p At,
/// where the child has returned and the frame was not stolen. Only this clone has written the
/// slots, but the optimizer does not know that, so it keeps no value across the call.
void Splitter::reloadAfter(bool InLoop, BasicBlock *At, BasicBlock *Entry) {
  for (Value *V : X->liveInto(Entry))
    if (X->values().contains(V) && isReloaded(*V, InLoop) && X->isInSlotAfter(V, At))
      B.CreateStore(B.CreateLoad(V->getType(), field(Fr->Slots[V])), Fr->Demoted[V]);
}

/// A copy of the landing pad of \p L without the pop, since the frame is here already. If the fast
/// clone is \p Resumed, the values that are live after the pad are only in the frame, and are
/// loaded here.
///
///   pad: landingpad; pop; br rest    =>    raise.pad: landingpad; load what is live; br rest
BasicBlock *Splitter::padAgain(const Landing &L, bool Resumed) {
  IRBuilder<>::InsertPointGuard Guard(B);
  auto *Pad = BasicBlock::Create(M.getContext(), "raise.pad", &F);
  B.SetInsertPoint(Pad);
  B.CreateStore(B.Insert(L.inst()->clone()), Fr->Demoted[L.inst()]);
  if (Resumed)
    loadLive(L.Rest, nullptr);
  B.CreateBr(L.Rest);
  return Pad;
}

/// Whether exceptions of children are kept in the frame.
Value *Splitter::isPending() {
  Value *Join = loadHeader(offsetof(nopal_frame, join));
  return B.CreateICmpNE(B.CreateAnd(Join, NOPAL_JOIN_THREW), B.getInt64(0), "pending");
}

/// With several regions: ends \p From, where an exception has come to \p L. There it meets the
/// exceptions that are kept for its region.
///
///   from: br rest    =>    from:  %pending = frame.join & THREW; br %pending, merge, rest
///                          merge: invoke nopal_merge_pending(frame, exception, region)
///                                   unwind raise.pad
void Splitter::mergeAtPad(BasicBlock *From, const Landing &L, unsigned Region) {
  LLVMContext &C = M.getContext();
  auto *Merge = BasicBlock::Create(C, "merge", &F);
  BasicBlock *Nowhere = createNever(F, "merged");
  B.SetInsertPoint(From);
  B.CreateCondBr(isPending(), Merge, L.Rest, seldom(C));
  B.SetInsertPoint(Merge);
  Value *Exn = B.CreateExtractValue(B.CreateLoad(L.inst()->getType(), Fr->Demoted[L.inst()]), 0);
  B.CreateInvoke(RT.entry("nopal_merge_pending"), Nowhere, padAgain(L, /*Resumed=*/false),
                 {Base, Exn, B.getInt32(Region)});
}

/// A sync that the fast clone reaches by itself is no code. With several regions, what is pending
/// for this one is raised, and an exception that is on its way out meets it:
///
///   __nopal_sync(region)    =>    %pending = frame.join & THREW; br %pending, raise, after
///   br after                      raise: nopal_raise_pending(frame, region)   ordinary sync
///                                    or: nopal_merge_pending(frame, exception, region)
///                                    or: nopal_discard_pending(frame, region)
void Splitter::lowerFastSync(SyncPoint &S) {
  LLVMContext &C = M.getContext();
  B.SetInsertPoint(S.Marker);
  B.SetCurrentDebugLocation(S.Marker->getDebugLoc());
  if (!P.SeveralRegions)
    return eraseMarker(*S.Marker);
  Value *Pending = isPending();
  Value *Region = B.getInt32(S.Region);
  if (!S.InFlight && S.Unwind) {
    auto *Raise = BasicBlock::Create(C, "raise", &F);
    B.CreateCondBr(Pending, Raise, S.After, seldom(C));
    S.Marker->eraseFromParent();
    B.SetInsertPoint(Raise);
    B.CreateInvoke(RT.entry("nopal_raise_pending"), S.After, padAgain(S.Unwind, /*Resumed=*/false),
                   {Base, Region});
    return;
  }
  auto Spawn = find_if(P.Spawns,
                       [&](SpawnPoint &Other) { return Other.Unwind && Other.Region == S.Region; });
  if (auto *InFlight = dyn_cast<SyncInFlightMarker>(S.Marker);
      InFlight && Spawn != P.Spawns.end()) {
    Value *Exception = InFlight->exception();
    Value *Selector = InFlight->selector();
    // The handlers around the region are those around its spawns. They find the
    // serially first exception where they expect the one in flight.
    Instruction *Then = ifSeldom(Pending, *S.Marker);
    BasicBlock *Later = S.Marker->getParent();
    BasicBlock *Nowhere = createNever(F, "merged");
    auto *Pad = BasicBlock::Create(C, "merge.pad", &F);
    B.SetInsertPoint(Then);
    Value *Exn = B.CreateLoad(B.getPtrTy(), Exception);
    B.CreateInvoke(RT.entry("nopal_merge_pending"), Nowhere, Pad, {Base, Exn, Region});
    Then->eraseFromParent();
    auto *LP = cast<LandingPadInst>(Spawn->Unwind.inst()->clone());
    LP->insertInto(Pad, Pad->end());
    B.SetInsertPoint(Pad);
    B.CreateStore(B.CreateExtractValue(LP, 0), Exception);
    B.CreateStore(B.CreateExtractValue(LP, 1), Selector);
    B.CreateBr(Later);
    return eraseMarker(*S.Marker);
  }
  Instruction *Then = ifSeldom(Pending, *S.Marker);
  B.SetInsertPoint(Then);
  B.CreateCall(RT.entry(S.InFlight ? EntryPoint("nopal_discard_pending")
                                   : EntryPoint("nopal_raise_pending")),
               {Base, Region});
  eraseMarker(*S.Marker);
}

/// The block in which a fast clone continues after it was suspended. Picture: Clones.cpp.
void Splitter::buildResume() {
  LLVMContext &C = M.getContext();
  auto *Resume = BasicBlock::Create(C, "resume", &F);
  for (BasicBlock &BB : F) {
    Instruction *End = BB.getTerminator(); // none in Resume yet
    Instruction *Last = End ? End->getPrevNode() : nullptr;
    if (!Last || !(isCallOf(*Last, "nopal_suspend") || isCallOf(*Last, "nopal_suspend_thrown")))
      continue;
    End->eraseFromParent();
    BranchInst::Create(Resume, &BB)->setDebugLoc(Last->getDebugLoc());
  }
  B.SetInsertPoint(Resume);
  B.SetCurrentDebugLocation(noLine(F));
  Value *Where = loadHeader(offsetof(nopal_frame, resume), "where");
  forgetAll(F, *cast<Instruction>(Where));
  if (Fr->StackPointer) // scopes may have ended in slow clones
    B.CreateStackRestore(B.CreateLoad(B.getPtrTy(), field(Fr->StackPointer)));
  SwitchInst *Switch = B.CreateSwitch(Where, createNever(F));
  FunctionCallee Raise = RT.entry("nopal_raise_pending");
  BasicBlock *Nowhere = createNever(F, "raised");
  // Values are loaded after the calls that may raise. Across a call each would need a callee-saved
  // register, which every activation would save.
  auto ResumeBlock = [&](BasicBlock *Entry) {
    auto *BB = BasicBlock::Create(C, "resume.at", &F);
    Switch->addCase(B.getInt32(ResumeAt[Entry]), BB);
    B.SetInsertPoint(BB);
  };
  for (SyncPoint &S : P.Syncs) {
    ResumeBlock(S.After);
    if (P.MayThrow && S.Unwind) {
      auto *Quiet = BasicBlock::Create(C, "resume.quiet", &F);
      B.CreateInvoke(Raise, Quiet, padAgain(S.Unwind, /*Resumed=*/true),
                     {Base, B.getInt32(S.Region)});
      B.SetInsertPoint(Quiet);
    } else if (P.MayThrow) {
      B.CreateCall(Raise, {Base, B.getInt32(S.Region)});
    }
    loadLive(S.After, nullptr);
    B.CreateBr(S.After);
  }
  auto RaiseAt = [&](const Landing &L, unsigned Region) {
    ResumeBlock(L.Rest);
    B.CreateInvoke(Raise, Nowhere, padAgain(L, /*Resumed=*/true), {Base, B.getInt32(Region)});
  };
  SmallPtrSet<BasicBlock *, 8> Done;
  for (ThrowPoint &T : P.Throws)
    if (Done.insert(T.Unwind.Rest).second)
      RaiseAt(T.Unwind, T.Region);
  for (SpawnPoint &S : P.Spawns)
    if (S.Unwind && ResumeAt.count(S.Unwind.Rest) && Done.insert(S.Unwind.Rest).second)
      RaiseAt(S.Unwind, S.Region);
  if (P.MayThrow) {
    auto *BB = BasicBlock::Create(C, "resume.throw", &F);
    Switch->addCase(B.getInt32(PlainThrow), BB);
    B.SetInsertPoint(BB);
    B.CreateCall(Raise, {Base, B.getInt32(NOPAL_ALL_REGIONS)});
    B.CreateUnreachable();
  }
}

/// Emitted before the first push on a path.
void Splitter::enterFrame() {
  B.CreateCall(RT.entry("nopal_fast_enter"), {Base});
  if (Fr->FrameAddress)
    B.CreateStore(B.CreateIntrinsic(Intrinsic::frameaddress, {B.getPtrTy()}, {B.getInt32(0)}),
                  field(Fr->FrameAddress));
}

void Splitter::buildFast() {
  Base = Fr->Memory;
  findScopes();
  if (P.SeveralRegions) { // pending exceptions outlive a spawn, so the header is made once
    Instruction *Last = Fr->Addresses.empty() ? Fr->Memory : Fr->Addresses.back();
    B.SetInsertPoint(&F.getEntryBlock(), std::next(Last->getIterator()));
    B.SetCurrentDebugLocation(DebugLoc());
    enterFrame();
    SmallPtrSet<BasicBlock *, 8> Done;
    for (auto *Throws : {&P.Throws, &P.FastThrows})
      for (ThrowPoint &T : *Throws) {
        if (!Done.insert(T.Unwind.Pad).second)
          continue;
        T.Unwind.Pad->getTerminator()->eraseFromParent();
        mergeAtPad(T.Unwind.Pad, T.Unwind, T.Region);
      }
  }
  LoweredPads.clear();
  for (auto [I, S] : enumerate(P.Spawns))
    lowerSpawn(S, I, Clone::Fast, nullptr);
  buildResume();
  for (auto *Syncs : {&P.Syncs, &P.FastSyncs})
    for (SyncPoint &S : *Syncs)
      lowerFastSync(S);
  for (KeptPrivate &K : Kept) {
    K.Marker->replaceAllUsesWith(allocaFor(*K.Marker));
    K.Marker->eraseFromParent();
  }
  guardScopes();
  freeArena();
  SmallVector<AllocaInst *, 16> Demoted;
  for (auto &[V, Slot] : Fr->Demoted)
    Demoted.push_back(Slot);
  finish(F, Demoted);
}

void Splitter::findScopes() {
  for (Instruction &I : instructions(F))
    if (isScopeEdge(I))
      Scopes.push_back(cast<IntrinsicInst>(&I));
}

/// While the arena is not empty a scope begins with a mark of it and ends with its
/// release. It may have begun or may end in a slow clone.
///
///   %m = stacksave              %native = stacksave
///                               if (frame.arena) %marked = nopal_arena_mark(frame, %native)
///                               %m = phi %native, %marked
///   stackrestore(%m)            if (frame.arena) %freed = nopal_arena_release(frame, %m)
///                               stackrestore(phi %m, %freed)
void Splitter::guardScopes() {
  if (!NeedsArena)
    return;
  for (IntrinsicInst *II : Scopes) {
    const bool Begins = II->getIntrinsicID() == Intrinsic::stacksave;
    Instruction *Later = Begins ? II->getNextNode() : II;
    Value *Native = Begins ? II : II->getArgOperand(0);
    B.SetInsertPoint(Later);
    B.SetCurrentDebugLocation(II->getDebugLoc());
    Value *Arena = loadHeader(offsetof(nopal_frame, arena));
    Instruction *Then = ifSeldom(B.CreateIsNotNull(Arena), *Later);
    BasicBlock *Before = Then->getParent()->getSinglePredecessor();
    B.SetInsertPoint(Then);
    Value *Marked = B.CreateCall(
        RT.entry(Begins ? EntryPoint("nopal_arena_mark") : EntryPoint("nopal_arena_release")),
        {Base, Native});
    B.SetInsertPoint(Later->getParent(), Later->getParent()->begin());
    PHINode *Either = B.CreatePHI(B.getPtrTy(), 2);
    if (Begins)
      II->replaceUsesWithIf(Either, [&](Use &U) { return U.getUser() != Marked; });
    else
      II->setArgOperand(0, Either);
    Either->addIncoming(Native, Before);
    Either->addIncoming(Marked, Then->getParent());
  }
}

/// What a slow clone took from the arena is freed when the function ends, however it ends.
///
///   ret              =>    br frame.arena != null, free, end;   free: nopal_arena_free(frame)
///   call @g()        =>    invoke @g() unwind arena.pad;   arena.pad: landingpad; as above; resume
void Splitter::freeArena() {
  if (!NeedsArena)
    return;
  LLVMContext &C = M.getContext();
  removeUnreachableBlocks(F);
  B.SetInsertPoint(&F.getEntryBlock(), std::next(Fr->Memory->getIterator()));
  B.SetCurrentDebugLocation(DebugLoc());
  B.CreateStore(Constant::getNullValue(B.getPtrTy()), field(offsetof(nopal_frame, arena)));
  SmallVector<Instruction *, 8> Ends;
  SmallVector<CallInst *, 16> Plain;
  for (Instruction &I : instructions(F)) {
    if (isa<ReturnInst, ResumeInst>(I))
      Ends.push_back(&I);
    else if (auto *CI = dyn_cast<CallInst>(&I); CI && P.MayThrow && mayUnwind(*CI))
      Plain.push_back(CI);
  }
  auto FreeBefore = [&](Instruction *End) {
    B.SetInsertPoint(End);
    Value *Arena = loadHeader(offsetof(nopal_frame, arena));
    Instruction *Then = ifSeldom(B.CreateIsNotNull(Arena), *End);
    B.SetInsertPoint(Then);
    B.CreateCall(RT.entry("nopal_arena_free"), {Base});
  };
  for (Instruction *End : Ends)
    FreeBefore(End);
  if (Plain.empty())
    return;
  ensurePersonality(F);
  auto *Pad = BasicBlock::Create(C, "arena.pad", &F);
  B.SetInsertPoint(Pad);
  LandingPadInst *LP = B.CreateLandingPad(StructType::get(B.getPtrTy(), B.getInt32Ty()), 0);
  LP->setCleanup(true);
  ResumeInst *End = B.CreateResume(LP);
  for (CallInst *CI : Plain)
    changeToInvokeAndSplitBasicBlock(CI, Pad);
  FreeBefore(End);
}
