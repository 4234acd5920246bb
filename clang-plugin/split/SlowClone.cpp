//===- SlowClone.cpp - Building the slow clone ----------------------------===//
//
// See Clones.cpp for the pictures. The slow clone is a copy of the function that
// is entered after a stolen spawn and ends at the first sync or exception: it
// returns no value and never unwinds into its caller.
//
//===----------------------------------------------------------------------===//
#include "DebugValues.h"
#include "DivideSlow.h"
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

Function *Splitter::createSlow(const Twine &Suffix) {
  auto *Slow = Function::Create(FunctionType::get(B.getPtrTy(), {B.getPtrTy()}, false),
                                GlobalValue::InternalLinkage, F.getName() + ".slow" + Suffix, &M);
  Slow->getArg(0)->setName("frame");
  Slow->setComdat(F.getComdat());
  return Slow;
}

/// The slow clone of very many spawns has parts. Each ends where its last spawn's child has come
/// back and calls the next, which goes on like a thief: all that is live is in the frame. A private
/// temporary that is live there is on the heap, and belongs to one activation of a slow clone.
void Splitter::createParts() {
  if (!Kept.empty() || Fr->StackPointer)
    return;
  for (size_t First = spawnsOfPart(); First < P.Spawns.size(); First += spawnsOfPart())
    Parts.push_back(createSlow("." + Twine(First / spawnsOfPart())));
}

/// The part that is entered after spawn \p Spawn.
Function *Splitter::slowOf(unsigned Spawn) const {
  return Parts.empty() || Spawn < spawnsOfPart() ? Slow : Parts[Spawn / spawnsOfPart() - 1];
}

/// The entry: the allocas that each activation has for itself, the addresses of the shared ones,
/// and the switch on the stolen spawn.
void Splitter::buildSlowEntry(Function &Slow, ValueToValueMapTy &VMap) {
  LLVMContext &C = M.getContext();
  BasicBlock *OldEntry = &Slow.getEntryBlock();
  auto *Entry = BasicBlock::Create(C, "entry", &Slow, OldEntry);
  for (Instruction &I : make_early_inc_range(*OldEntry))
    if (auto *AI = dyn_cast<AllocaInst>(&I); AI && isa<ConstantInt>(AI->getArraySize()))
      AI->moveBefore(*Entry, Entry->end());
  for (Instruction *Address : Fr->Addresses) {
    auto *Copy = cast<Instruction>(VMap[Address]);
    Copy->moveBefore(*Entry, Entry->end());
    Copy->setOperand(0, Base);
  }
  auto *OldFrame = cast<AllocaInst>(VMap[Fr->Memory]);
  OldFrame->replaceAllUsesWith(Base);
  OldFrame->eraseFromParent();
  B.SetInsertPoint(Entry);
  B.SetCurrentDebugLocation(noLine(Slow));
  if (P.MayThrow)
    Order = loadHeader(offsetof(nopal_frame, steals), "order");
  Value *Site = loadHeader(offsetof(nopal_frame, site));
  Site = B.CreateIntToPtr(B.CreateAnd(Site, ~uint64_t(NOPAL_SITE_SLOW)), B.getPtrTy());
  constexpr uint64_t IndexAt = offsetof(nopal_site, index);
  Value *Index = B.CreateLoad(RT.siteField(IndexAt), Frame::address(B, Site, IndexAt), "index");
  // Declare the variables in the frame here too.
  SmallVector<BasicBlock *, 4> Conts;
  for (const SpawnPoint &S : P.Spawns)
    Conts.push_back(in(S.Cont, &VMap));
  declareFrame(Slow, Base, *cast<Instruction>(Index), Conts);
  SwitchInst *Switch = B.CreateSwitch(Index, createNever(Slow), P.Spawns.size());
  for (auto [I, S] : enumerate(P.Spawns)) {
    auto *Enter = BasicBlock::Create(C, "enter", &Slow);
    Switch->addCase(B.getInt32(I), Enter);
    B.SetInsertPoint(Enter);
    loadLive(S.Cont, &VMap);
    B.CreateBr(cast<BasicBlock>(VMap[S.Cont]));
  }
}

/// Gives a pad to each call without one, whose exception leaves the function.
///
///   call @g()        invoke @g() unwind keep.plain
///                  keep.plain: landingpad catch everything
///                    ret nopal_throw(%frame, exception, PlainThrow, all regions)
void Splitter::keepPlainThrows(Function &Slow) {
  SmallVector<CallInst *, 16> Calls;
  for (Instruction &I : instructions(Slow))
    if (auto *CI = dyn_cast<CallInst>(&I); CI && mayUnwind(*CI))
      Calls.push_back(CI);
  if (Calls.empty())
    return;
  ensurePersonality(Slow);
  auto *Keep = BasicBlock::Create(Slow.getContext(), "keep.plain", &Slow);
  B.SetInsertPoint(Keep);
  keepThrow(catchAll(), nullptr, nullptr, PlainThrow, NOPAL_ALL_REGIONS, nullptr);
  for (CallInst *CI : Calls)
    changeToInvokeAndSplitBasicBlock(CI, Keep);
}

/// A private temporary that the fast clone may destroy cannot be on the slow clone's stack. Each
/// activation of the slow clone has one for all executions of the statement. It frees it at its
/// end, or leaves it to the fast clone:
///
///   %p = __nopal_private(24, 8)    %p = memory, or memory = nopal_temporary_alloc(24, 8)
///   nopal_leave(%frame)            nopal_temporary_free(memory); nopal_leave(%frame)
///   nopal_throw(%frame, ...)       nopal_arena_keep(%frame, memory); nopal_throw(...)
///
/// Until then it is not in the arena: the thief of the continuation may end the scope around the
/// statement while the child still uses the temporary.
void Splitter::usePrivates(Function &Slow, SmallVectorImpl<AllocaInst *> &Demoted,
                           ValueToValueMapTy &VMap) {
  for (KeptPrivate &K : Kept) {
    auto *CB = dyn_cast_or_null<PrivateMarker>(VMap.lookup(K.Marker));
    if (!CB) // no slow clone reaches it
      continue;
    B.SetInsertPoint(&Slow.getEntryBlock(), Slow.getEntryBlock().begin());
    B.SetCurrentDebugLocation(DebugLoc());
    AllocaInst *Memory = B.CreateAlloca(B.getPtrTy());
    Demoted.push_back(Memory);
    B.CreateStore(Constant::getNullValue(B.getPtrTy()), Memory);
    B.SetInsertPoint(CB);
    Instruction *Then = SplitBlockAndInsertIfThen(
        B.CreateIsNull(B.CreateLoad(B.getPtrTy(), Memory)), CB->getIterator(),
        /*Unreachable=*/false);
    B.SetInsertPoint(Then);
    B.CreateStore(B.CreateCall(RT.entry("nopal_temporary_alloc"), {CB->bytes(), CB->alignment()}),
                  Memory);
    B.SetInsertPoint(CB);
    CB->replaceAllUsesWith(B.CreateLoad(B.getPtrTy(), Memory));
    CB->eraseFromParent();
    for (Instruction &I : instructions(Slow)) {
      unsigned ResumeOperand = 0;
      if (isCallOf(I, "nopal_sync"))
        ResumeOperand = 1;
      else if (isCallOf(I, "nopal_throw"))
        ResumeOperand = 2;
      else if (!isCallOf(I, "nopal_leave") && !isCallOf(I, "nopal_leave_thrown"))
        continue;
      B.SetInsertPoint(&I);
      Value *Now = B.CreateLoad(B.getPtrTy(), Memory);
      if (ResumeOperand &&
          K.NeededAt.contains(cast<ConstantInt>(I.getOperand(ResumeOperand))->getZExtValue())) {
        NeedsArena = true;
        B.CreateCall(RT.entry("nopal_arena_keep"), {Base, Now});
      } else {
        B.CreateCall(RT.entry("nopal_temporary_free"), {Now});
      }
    }
  }
}

/// A slow clone is not on the function's stack, so its dynamic allocas are in the
/// frame's arena, and its scopes begin and end there:
///
///   %m = stacksave          %m = nopal_arena_mark(%frame, frame.stack)
///   %a = alloca T, i64 %n   %a = nopal_arena_alloc(%frame, %n * sizeof(T), alignment)
///   stackrestore(%m)        frame.stack = nopal_arena_release(%frame, %m)
void Splitter::useArena(Function &Slow) {
  if (!Fr->StackPointer)
    return;
  NeedsArena = true;
  for (Instruction &I : make_early_inc_range(instructions(Slow))) {
    B.SetInsertPoint(&I);
    if (isScopeEdge(I)) {
      auto *II = cast<IntrinsicInst>(&I);
      if (II->getIntrinsicID() == Intrinsic::stacksave) {
        Value *Stack = B.CreateLoad(B.getPtrTy(), field(Fr->StackPointer));
        II->replaceAllUsesWith(B.CreateCall(RT.entry("nopal_arena_mark"), {Base, Stack}));
        II->eraseFromParent();
      } else {
        Value *Stack = B.CreateCall(RT.entry("nopal_arena_release"), {Base, II->getArgOperand(0)});
        B.CreateStore(Stack, field(Fr->StackPointer));
        II->eraseFromParent();
      }
      continue;
    }
    auto *AI = dyn_cast<AllocaInst>(&I);
    if (!AI || AI->getParent() == &Slow.getEntryBlock())
      continue;
    const TypeSize Size = M.getDataLayout().getTypeAllocSize(AI->getAllocatedType());
    Value *Count = B.CreateZExtOrTrunc(AI->getArraySize(), B.getInt64Ty());
    Value *Bytes = Count;
    if (Size != TypeSize::getFixed(1)) { // SIZE_MAX if the product overflows
      Value *Product =
          B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, Count, B.getInt64(Size));
      Bytes = B.CreateSelect(B.CreateExtractValue(Product, 1), B.getInt64(UINT64_MAX),
                             B.CreateExtractValue(Product, 0));
    }
    Value *Memory = B.CreateCall(RT.entry("nopal_arena_alloc"),
                                 {Base, Bytes, B.getInt64(AI->getAlign().value())});
    AI->replaceAllUsesWith(Memory);
    AI->eraseFromParent();
  }
}

void Splitter::buildSlow(Function &Slow, ValueToValueMapTy &VMap) {
  Base = Slow.getArg(0);
  buildSlowEntry(Slow, VMap);
  LoweredPads.clear();
  Left = BasicBlock::Create(Slow.getContext(), "left", &Slow);
  B.SetInsertPoint(Left);
  B.SetCurrentDebugLocation(noLine(Slow));
  B.CreateRet(B.CreateCall(RT.entry("nopal_leave"), {Base}));
  for (auto [I, S] : enumerate(P.Spawns))
    if (P.SlowBlocks.contains(S.Marker->getParent()))
      lowerSpawn(S, I, Clone::Slow, &VMap);
  for (SyncPoint &S : P.Syncs) {
    CallBase *Marker = in(S.Marker, &VMap);
    B.SetInsertPoint(Marker);
    storeLive(S.After, S.Marker->getParent(), &VMap);
    if (S.Unwind)
      storeLive(S.Unwind.Rest, S.Marker->getParent(), &VMap);
    ReturnInst *Ret =
        B.CreateRet(B.CreateCall(RT.entry("nopal_sync"), {Base, B.getInt32(ResumeAt[S.After])}));
    BasicBlock *BB = Ret->getParent();
    if (auto *II = dyn_cast<InvokeInst>(Marker))
      II->getUnwindDest()->removePredecessor(BB);
    while (&BB->back() != Ret)
      BB->back().eraseFromParent();
  }
  DenseMap<BasicBlock *, BasicBlock *> KeepOf;
  for (ThrowPoint &T : P.Throws) {
    auto *II = in(T.Invoke, &VMap);
    BasicBlock *&Keep = KeepOf[T.Unwind.Pad];
    if (!Keep) {
      Keep = BasicBlock::Create(Slow.getContext(), "keep", &Slow);
      B.SetInsertPoint(Keep);
      B.SetCurrentDebugLocation(II->getDebugLoc());
      keepThrow(catchAll(), T.Unwind.Rest, T.Unwind.Pad, ResumeAt[T.Unwind.Rest], T.Region, &VMap);
    }
    II->setUnwindDest(Keep);
  }
  removeUnreachableBlocks(Slow);
  if (P.MayThrow)
    keepPlainThrows(Slow);
  SmallVector<AllocaInst *, 16> Demoted;
  usePrivates(Slow, Demoted, VMap);
  useArena(Slow);
  for (auto &[V, Slot] : Fr->Demoted)
    Demoted.push_back(in(Slot, &VMap));
  finish(Slow, Demoted);
}
