//===- Clones.cpp - Building the fast and the slow clone ------------------===//
//
// See Clones.h. A spawn, from the marker to the two clones (pads left out):
//
//   marker                 fast clone                    slow clone
//   ------                 ----------                    ----------
//   __nopal_spawn(h, a)    store what crosses            store what crosses
//   br cont                %t = push(frame, site)        %t = push(frame, site|1)
//                          h(a)                          h(a)
//                          pop(%t) ? cont : stolen       pop(%t) ? cont : left
//                        stolen:                       left:
//                          nopal_suspend(frame)          %f = nopal_leave(frame)
//                          br resume                     ret %f
//
// A sync, and a call that throws:
//
//   __nopal_sync()         (nothing)                     store what crosses
//   br after               br after                      %f = nopal_sync(frame, 3)
//                                                        ret %f
//   invoke g() unwind pad  invoke g() unwind pad         invoke g() unwind keep
//                                                      keep: catch everything
//                                                        store what crosses
//                                                        %f = nopal_throw(.., 4)
//                                                        ret %f
//
// Where the fast clone goes on, and where the slow one comes in:
//
//                        resume:                       entry:
//                          switch frame.resume           switch site.index
//                        r3: load what crosses         s0: load what crosses
//                          nopal_raise_pending(frame)    br cont
//                          br after
//                        r4: load what crosses
//                          invoke nopal_raise_pending(frame) unwind pad'
//
//===----------------------------------------------------------------------===//
#include "Clones.h"

#include "../markers/Markers.h"
#include "../outline/Outline.h"
#include "Crossing.h"
#include "Frame.h"
#include "Points.h"
#include "nopal_abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <optional>

using namespace llvm;
using namespace nopal;

namespace {

/// The arguments of the child behind helper, file, line and column.
constexpr unsigned FirstOperand = 4;

class Splitter {
public:
  Splitter(Function &F, Runtime &RT, SmallVectorImpl<WeakTrackingVH> &HelperCalls)
      : F(F), M(*F.getParent()), RT(RT), HelperCalls(HelperCalls),
        B(F.getContext()) {}

  Function *run();

private:
  enum class Clone { Fast, Slow };

  bool privatesStayInside();
  void lowerPrivates();
  void numberResumePoints();
  void makeThreadBoundCallsOpaque(Function &Clone, BasicBlock *Except);
  Function *createSlow();
  void buildSlowEntry(Function &Slow, ValueToValueMapTy &VMap);
  void buildSlow(Function &Slow, ValueToValueMapTy &VMap);
  void buildFast();
  void buildResume();

  /// What a spawn becomes, in either clone.
  void lowerSpawn(SpawnPoint S, unsigned Index, Clone Kind,
                  ValueToValueMapTy *VMap);
  void storeCrossing(BasicBlock *Entry, BasicBlock *At, ValueToValueMapTy *VMap);
  void loadCrossing(BasicBlock *Entry, ValueToValueMapTy *VMap);
  void keepThrow(Value *Pad, BasicBlock *Rest, BasicBlock *From,
                 unsigned Resume, ValueToValueMapTy *VMap);
  LandingPadInst *catchAll();
  void keepPlainThrows(Function &Slow);
  void useArena(Function &Slow);
  void freeArena();
  void finish(Function &Clone, ArrayRef<AllocaInst *> Shadows);

  Value *field(uint64_t Offset) { return Frame::address(B, Base, Offset); }
  template <class T> T *in(T *V, ValueToValueMapTy *VMap) {
    return VMap ? cast<T>((*VMap)[V]) : V;
  }

  Function &F;
  Module &M;
  Runtime &RT;
  SmallVectorImpl<WeakTrackingVH> &HelperCalls;
  IRBuilder<> B;
  AllocaSet Private;
  Points P;
  std::optional<Crossing> X;
  std::optional<Frame> Fr;
  SmallVector<GlobalVariable *, 4> Sites;
  DenseMap<BasicBlock *, unsigned> ResumeAt; ///< After or Rest block → number
  unsigned PlainThrow = 0;                   ///< number of "throw, no pad"
  bool NeedsArena = false;
  Value *Base = nullptr;  ///< the frame, in the clone being built
  Value *Order = nullptr; ///< frame->steals at the slow clone's entry
};

//===----------------------------------------------------------------------===//
// Before the clones part
//===----------------------------------------------------------------------===//

/// Each __nopal_private becomes an alloca that every activation has for itself.
void Splitter::lowerPrivates() {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isMarker(I, marker::Private))
      continue;
    auto &CB = cast<CallBase>(I);
    const uint64_t Bytes = cast<ConstantInt>(CB.getArgOperand(0))->getZExtValue();
    const uint64_t Alignment =
        cast<ConstantInt>(CB.getArgOperand(1))->getZExtValue();
    B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().begin());
    AllocaInst *AI = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes));
    AI->setAlignment(Align(Alignment));
    AI->takeName(&CB);
    CB.replaceAllUsesWith(AI);
    if (auto *II = dyn_cast<InvokeInst>(&CB))
      changeToCall(II)->eraseFromParent();
    else
      CB.eraseFromParent();
    Private.insert(AI);
  }
}

/// A private temporary must not be known behind its statement.
bool Splitter::privatesStayInside() {
  for (Value *V : X->values()) {
    if (!V->getType()->isPointerTy())
      continue;
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(V, Objects);
    for (const Value *O : Objects)
      if (auto *AI = dyn_cast<AllocaInst>(O);
          AI && Private.contains(const_cast<AllocaInst *>(AI)))
        return false;
  }
  return true;
}

void Splitter::numberResumePoints() {
  unsigned N = 0;
  for (SyncPoint &S : P.Syncs)
    ResumeAt[S.After] = N++;
  for (ThrowPoint &T : P.Throws)
    ResumeAt[T.Unwind.Rest] = N++;
  for (SpawnPoint &S : P.Spawns)
    if (S.Unwind && P.SlowBlocks.contains(S.Marker->getParent()))
      ResumeAt[S.Unwind.Rest] = N++;
  PlainThrow = N;
}

//===----------------------------------------------------------------------===//
// Pieces that both clones share
//===----------------------------------------------------------------------===//

/// Stores what is live into \p Entry and not in its slot yet; \p At is the block
/// of F at whose end this happens. \p VMap is null in the fast clone.
void Splitter::storeCrossing(BasicBlock *Entry, BasicBlock *At,
                             ValueToValueMapTy *VMap) {
  for (Value *V : X->liveInto(Entry)) {
    auto Slot = Fr->Slots.find(V);
    if (Slot == Fr->Slots.end() || X->isInSlotAfter(V, At))
      continue;
    Value *Now = B.CreateLoad(V->getType(), in(Fr->Shadows[V], VMap));
    B.CreateStore(Now, field(Slot->second));
  }
}

/// Loads what is live into \p Entry; thread-bound values are computed again.
void Splitter::loadCrossing(BasicBlock *Entry, ValueToValueMapTy *VMap) {
  for (Value *V : X->liveInto(Entry)) {
    Value *Now;
    if (auto Slot = Fr->Slots.find(V); Slot != Fr->Slots.end())
      Now = B.CreateLoad(V->getType(), field(Slot->second));
    else
      Now = B.CreateCall(RT.threadBoundAccessor(*cast<CallBase>(V)));
    B.CreateStore(Now, in(Fr->Shadows[V], VMap));
  }
}

LandingPadInst *Splitter::catchAll() {
  LandingPadInst *LP = B.CreateLandingPad(
      StructType::get(B.getPtrTy(), B.getInt32Ty()), 1);
  LP->addClause(ConstantPointerNull::get(B.getPtrTy()));
  return LP;
}

/// At the insertion point in the slow clone: the exception of \p Pad shall be
/// raised by the fast clone at number \p Resume.
void Splitter::keepThrow(Value *Pad, BasicBlock *Rest, BasicBlock *From,
                         unsigned Resume, ValueToValueMapTy *VMap) {
  if (Rest)
    storeCrossing(Rest, From, VMap);
  Value *Exn = B.CreateExtractValue(Pad, 0);
  B.CreateRet(B.CreateCall(RT.entry("nopal_throw"),
                           {Base, Exn, B.getInt32(Resume)}));
}

void Splitter::lowerSpawn(SpawnPoint S, unsigned Index, Clone Kind,
                          ValueToValueMapTy *VMap) {
  const bool IsSlow = Kind == Clone::Slow;
  BasicBlock *At = S.Marker->getParent();
  CallBase *Marker = in(S.Marker, VMap);
  BasicBlock *Cont = in(S.Cont, VMap);
  Function &Fn = *Marker->getFunction();
  LLVMContext &C = Fn.getContext();
  DebugLoc Loc = Marker->getDebugLoc();
  if (!Loc && Fn.getSubprogram())
    Loc = DILocation::get(C, 0, 0, Fn.getSubprogram());
  B.SetInsertPoint(Marker);
  B.SetCurrentDebugLocation(Loc);

  storeCrossing(S.Cont, At, VMap);
  if (!IsSlow && !X->isEnteredBefore(At))
    B.CreateCall(RT.entry("nopal_fast_enter"), {Base});
  Value *Site = B.CreatePtrToInt(Sites[Index], B.getInt64Ty());
  if (IsSlow)
    Site = B.CreateOr(Site, NOPAL_SITE_SLOW);
  Value *Token = B.CreateCall(RT.entry("nopal_fast_push"), {Base, Site});

  SmallVector<Value *, 8> Args(Marker->arg_begin() + FirstOperand,
                               Marker->arg_end());
  MDNode *Likely = MDBuilder(C).createBranchWeights(2000, 1);
  auto Pop = [&](BasicBlock *Here, BasicBlock *Lost) {
    Value *Still = B.CreateICmpNE(
        B.CreateCall(RT.entry("nopal_fast_pop"), {Base, Token}), B.getInt32(0));
    B.CreateCondBr(Still, Here, Lost, Likely);
  };
  // The continuation was stolen: this clone is left, for good if it is slow.
  auto *Lost = BasicBlock::Create(C, IsSlow ? "left" : "stolen", &Fn);
  CallBase *Child;
  if (auto *II = dyn_cast<InvokeInst>(Marker)) {
    auto *Back = BasicBlock::Create(C, "child.back", &Fn, Cont);
    BasicBlock *Pad = in(S.Unwind.Pad, VMap);
    Child = B.CreateInvoke(S.Helper, Back, Pad, Args);
    B.SetInsertPoint(Back);
    Pop(Cont, Lost);
    II->eraseFromParent();

    // The child threw.
    auto *Threw = BasicBlock::Create(
        C, IsSlow ? "left.thrown" : "stolen.thrown", &Fn);
    LandingPadInst *LP = Pad->getLandingPadInst();
    if (IsSlow) {
      // Kept, whatever the handlers in the fast clone say to it.
      B.SetInsertPoint(LP);
      LandingPadInst *All = catchAll();
      LP->replaceAllUsesWith(All);
      LP->eraseFromParent();
      LP = All;
    }
    Pad->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Pad);
    if (IsSlow) {
      auto *Keep = BasicBlock::Create(C, "keep", &Fn);
      Pop(Keep, Threw);
      B.SetInsertPoint(Keep);
      keepThrow(LP, S.Unwind.Rest, S.Unwind.Pad,
                ResumeAt[S.Unwind.Rest], VMap);
      B.SetInsertPoint(Threw);
      B.CreateRet(B.CreateCall(
          RT.entry("nopal_leave_thrown"),
          {Base, B.CreateExtractValue(LP, 0), Order}));
    } else {
      Pop(in(S.Unwind.Rest, VMap), Threw);
      B.SetInsertPoint(Threw);
      B.CreateCall(RT.entry("nopal_suspend_thrown"),
                   {Base, B.CreateExtractValue(LP, 0)});
      B.CreateUnreachable(); // becomes the branch to resume
    }
  } else {
    Child = B.CreateCall(S.Helper, Args);
    cast<CallInst>(Child)->setTailCallKind(CallInst::TCK_None);
    Marker->getParent()->getTerminator()->eraseFromParent();
    Marker->eraseFromParent();
    B.SetInsertPoint(Child->getParent());
    Pop(Cont, Lost);
  }
  Child->setDebugLoc(Loc);
  Child->setCallingConv(S.Helper->getCallingConv());
  if (!IsSlow && !S.Helper->hasFnAttribute(SpawnerAttr))
    HelperCalls.push_back(Child);
  B.SetInsertPoint(Lost);
  if (IsSlow) {
    B.CreateRet(B.CreateCall(RT.entry("nopal_leave"), {Base}));
  } else {
    B.CreateCall(RT.entry("nopal_suspend"), {Base});
    B.CreateUnreachable(); // becomes the branch to resume
  }
}

//===----------------------------------------------------------------------===//
// The slow clone
//===----------------------------------------------------------------------===//

Function *Splitter::createSlow() {
  auto *Slow = Function::Create(
      FunctionType::get(B.getPtrTy(), {B.getPtrTy()}, false),
      GlobalValue::InternalLinkage, F.getName() + ".slow", &M);
  Slow->getArg(0)->setName("frame");
  Slow->setComdat(F.getComdat());
  return Slow;
}

/// The entry: allocas that each activation has for itself, the addresses of
/// shared ones, and the switch on the spawn that was stolen.
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
  B.SetCurrentDebugLocation(
      Slow.getSubprogram()
          ? DebugLoc(DILocation::get(C, 0, 0, Slow.getSubprogram()))
          : DebugLoc());
  if (P.MayThrow)
    Order = B.CreateLoad(B.getInt64Ty(), field(offsetof(nopal_frame, steals)),
                         "order");
  Value *Site = B.CreateLoad(B.getInt64Ty(), field(offsetof(nopal_frame, site)));
  Site = B.CreateIntToPtr(B.CreateAnd(Site, ~uint64_t(NOPAL_SITE_SLOW)),
                          B.getPtrTy());
  Value *Index = B.CreateLoad(
      B.getInt32Ty(),
      Frame::address(B, Site, offsetof(nopal_site, index)), "index");
  auto *Never = BasicBlock::Create(C, "never", &Slow);
  new UnreachableInst(C, Never);
  SwitchInst *Switch = B.CreateSwitch(Index, Never, P.Spawns.size());
  for (auto [I, S] : enumerate(P.Spawns)) {
    auto *Enter = BasicBlock::Create(C, "enter", &Slow);
    Switch->addCase(B.getInt32(I), Enter);
    B.SetInsertPoint(Enter);
    loadCrossing(S.Cont, &VMap);
    B.CreateBr(cast<BasicBlock>(VMap[S.Cont]));
  }
}

/// Calls without a pad: their exception leaves the function.
void Splitter::keepPlainThrows(Function &Slow) {
  SmallVector<CallInst *, 16> Calls;
  for (Instruction &I : instructions(Slow))
    if (auto *CI = dyn_cast<CallInst>(&I); CI && mayUnwind(*CI))
      Calls.push_back(CI);
  if (Calls.empty())
    return;
  if (!Slow.hasPersonalityFn())
    Slow.setPersonalityFn(cast<Constant>(
        M.getOrInsertFunction("__gxx_personality_v0",
                              FunctionType::get(B.getInt32Ty(), true))
            .getCallee()));
  auto *Keep = BasicBlock::Create(Slow.getContext(), "keep.plain", &Slow);
  B.SetInsertPoint(Keep);
  keepThrow(catchAll(), nullptr, nullptr, PlainThrow, nullptr);
  for (CallInst *CI : Calls)
    changeToInvokeAndSplitBasicBlock(CI, Keep);
}

/// Dynamic allocas of a slow clone live to the function's end, so they cannot be
/// on its stack.
void Splitter::useArena(Function &Slow) {
  const DataLayout &DL = M.getDataLayout();
  for (Instruction &I : make_early_inc_range(instructions(Slow))) {
    if (auto *II = dyn_cast<IntrinsicInst>(&I)) {
      if (II->getIntrinsicID() == Intrinsic::stacksave)
        II->replaceAllUsesWith(Constant::getNullValue(II->getType()));
      if (II->getIntrinsicID() == Intrinsic::stacksave ||
          II->getIntrinsicID() == Intrinsic::stackrestore)
        II->eraseFromParent();
      continue;
    }
    auto *AI = dyn_cast<AllocaInst>(&I);
    if (!AI || AI->getParent() == &Slow.getEntryBlock())
      continue;
    NeedsArena = true;
    B.SetInsertPoint(AI);
    Value *Count = B.CreateZExtOrTrunc(AI->getArraySize(), B.getInt64Ty());
    Value *Bytes = B.CreateMul(
        Count, B.getInt64(DL.getTypeAllocSize(AI->getAllocatedType())));
    Value *Memory =
        B.CreateCall(RT.entry("nopal_arena_alloc"),
                     {Base, Bytes, B.getInt64(AI->getAlign().value())});
    AI->replaceAllUsesWith(Memory);
    AI->eraseFromParent();
  }
}

void Splitter::buildSlow(Function &Slow, ValueToValueMapTy &VMap) {
  Base = Slow.getArg(0);
  buildSlowEntry(Slow, VMap);
  for (auto [I, S] : enumerate(P.Spawns))
    if (P.SlowBlocks.contains(S.Marker->getParent()))
      lowerSpawn(S, I, Clone::Slow, &VMap);
  for (SyncPoint &S : P.Syncs) {
    CallBase *Marker = in(S.Marker, &VMap);
    B.SetInsertPoint(Marker);
    storeCrossing(S.After, S.Marker->getParent(), &VMap);
    if (S.Unwind)
      storeCrossing(S.Unwind.Rest, S.Marker->getParent(), &VMap);
    ReturnInst *Ret = B.CreateRet(B.CreateCall(
        RT.entry("nopal_sync"), {Base, B.getInt32(ResumeAt[S.After])}));
    BasicBlock *BB = Ret->getParent();
    if (auto *II = dyn_cast<InvokeInst>(Marker))
      II->getUnwindDest()->removePredecessor(BB);
    while (&BB->back() != Ret)
      BB->back().eraseFromParent();
  }
  for (ThrowPoint &T : P.Throws) {
    auto *II = in(T.Invoke, &VMap);
    auto *Keep = BasicBlock::Create(Slow.getContext(), "keep", &Slow);
    B.SetInsertPoint(Keep);
    B.SetCurrentDebugLocation(II->getDebugLoc());
    keepThrow(catchAll(), T.Unwind.Rest, T.Invoke->getParent(),
              ResumeAt[T.Unwind.Rest], &VMap);
    II->setUnwindDest(Keep);
  }
  removeUnreachableBlocks(Slow);
  if (P.MayThrow)
    keepPlainThrows(Slow);
  useArena(Slow);
  SmallVector<AllocaInst *, 16> Shadows;
  for (auto &[V, Shadow] : Fr->Shadows)
    Shadows.push_back(in(Shadow, &VMap));
  finish(Slow, Shadows);
}

//===----------------------------------------------------------------------===//
// The fast clone
//===----------------------------------------------------------------------===//

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
  for (SyncPoint &S : P.Syncs)
    eraseMarker(*S.Marker);
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

/// Addresses of thread-locals that are computed where the thread may have
/// changed come from a call that stays where it is. \p Except runs before all
/// spawns.
void Splitter::makeThreadBoundCallsOpaque(Function &Clone, BasicBlock *Except) {
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

void Splitter::finish(Function &Clone, ArrayRef<AllocaInst *> Shadows) {
  removeUnreachableBlocks(Clone);
  makeThreadBoundCallsOpaque(Clone,
                             &Clone == &F ? &F.getEntryBlock() : nullptr);
  DominatorTree DT(Clone);
  PromoteMemToReg(Shadows, DT);
  for (Attribute::AttrKind K :
       {Attribute::Memory, Attribute::NoSync, Attribute::NoFree,
        Attribute::WillReturn, Attribute::Speculatable, Attribute::NoRecurse})
    Clone.removeFnAttr(K);
  Clone.removeFnAttr(SpawnerAttr);
}

Function *Splitter::run() {
  PrettyStackTraceString Where("Nopal: splitting a spawning function");
  const Instruction *At = nullptr;
  const char *Why = whyNotSplittable(F, At);
  if (!Why) {
    lowerPrivates();
    P = normalize(F);
    X.emplace(F, P, Private);
    if (any_of(X->values(), [](Value *V) {
          return V->getType()->isTokenTy() || V->getType()->isScalableTy();
        }))
      Why = "cilk_spawn beside a value that cannot be kept in memory is not "
            "supported";
    else if (!privatesStayInside())
      Why = "cilk_spawn whose temporary is used behind its statement is not "
            "supported; give the temporary a name";
  }
  if (Why) {
    DebugLoc Loc = At ? At->getDebugLoc() : DebugLoc();
    F.getContext().diagnose(DiagnosticInfoUnsupported(F, Why, Loc));
    return nullptr;
  }
  Fr.emplace(F, P, *X);
  numberResumePoints();

  Function *Slow = createSlow();
  for (auto [I, S] : enumerate(P.Spawns))
    Sites.push_back(RT.createSite(F, Slow, *S.Marker, I));
  ValueToValueMapTy VMap;
  for (Argument &A : F.args())
    VMap[&A] = PoisonValue::get(A.getType());
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Slow, &F, VMap, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  AttrBuilder FnAttrs(F.getContext(), F.getAttributes().getFnAttrs());
  FnAttrs.removeAttribute(Attribute::NoReturn);
  Slow->setAttributes(AttributeList::get(
      F.getContext(), AttributeList::FunctionIndex, FnAttrs));
  Slow->addFnAttr(Attribute::Cold);
  Slow->addFnAttr(Attribute::NoInline);
  Slow->removeFnAttr(HelperAttr);
  Slow->setCallingConv(CallingConv::C);
  Slow->setVisibility(GlobalValue::DefaultVisibility);
  Slow->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Slow->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Slow->setDSOLocal(true);
  if (P.MayThrow)
    Slow->setDoesNotThrow();
  buildSlow(*Slow, VMap);
  buildFast();
  return Slow;
}

} // namespace

Function *nopal::splitFunction(Function &F, Runtime &RT,
                               SmallVectorImpl<WeakTrackingVH> &HelperCalls) {
  return Splitter(F, RT, HelperCalls).run();
}
