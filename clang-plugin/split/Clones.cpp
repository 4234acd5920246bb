//===- Clones.cpp - Building the fast and the slow clone ------------------===//
//
// See Clones.h. A spawn, from the marker to the two clones (pads left out):
//
//   marker                 fast clone                    slow clone
//   ------                 ----------                    ----------
//   __nopal_spawn(h, a)    store what is live            store what is live
//   br cont                push(frame, site)             push(frame, site|1)
//                          h(a)                          h(a)
//                          pop(frame) ? cont : stolen    pop(frame) ? cont : left
//                        stolen:                       left:
//                          nopal_suspend(frame)          %f = nopal_leave(frame)
//                          br resume                     ret %f
//
// A sync, and a call that throws:
//
//   __nopal_sync()         (nothing)                     store what is live
//   br after               br after                      %f = nopal_sync(frame, 3)
//                                                        ret %f
//   invoke g() unwind pad  invoke g() unwind pad         invoke g() unwind keep
//                                                      keep: catch everything
//                                                        store what is live
//                                                        %f = nopal_throw(.., 4)
//                                                        ret %f
//
// Where the fast clone goes on, and where the slow one comes in:
//
//                        resume:                       entry:
//                          switch frame.resume           switch site.index
//                        r3: nopal_raise_pending(frame)  s0: load what is live
//                          load what is live             br cont
//                          br after
//                        r4: invoke nopal_raise_pending(frame) unwind pad'
//                        pad': load what is live
//                          br rest
//
//===----------------------------------------------------------------------===//
#include "../compatibility/Compatibility.h"
#include "DebugValues.h"
#include "DivideSlow.h"
#include "FrameRemarks.h"
#include "Marks.h"
#include "SharedMetadata.h"
#include "Sites.h"
#include "Splitter.h"

#include "../analysis/DebugScopes.h"
#include "../analysis/Functions.h"
#include "../analysis/Remarks.h"
#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "../contract/Refusal.h"
#include "../contract/Target.h"
#include "nopal_abi.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

//===----------------------------------------------------------------------===//
// Before the clones part
//===----------------------------------------------------------------------===//

/// Whether a slow clone would run va_start. It has no variable arguments.
static bool startsVarArgs(const SuspendPoints &P) {
  return any_of(P.SlowBlocks, [](BasicBlock *BB) {
    return any_of(*BB, [](Instruction &I) {
      auto *II = dyn_cast<IntrinsicInst>(&I);
      return II && II->getIntrinsicID() == Intrinsic::vastart;
    });
  });
}

void Splitter::numberResumePoints() {
  unsigned N = 0;
  for (SyncPoint &S : P.Syncs)
    ResumeAt[S.After] = N++;
  for (ThrowPoint &T : P.Throws)
    if (ResumeAt.try_emplace(T.Unwind.Rest, N).second)
      ++N;
  for (SpawnPoint &S : P.Spawns)
    if (S.Unwind && P.SlowBlocks.contains(S.Marker->getParent()) &&
        ResumeAt.try_emplace(S.Unwind.Rest, N).second)
      ++N;
  PlainThrow = N;
}

//===----------------------------------------------------------------------===//
// Pieces that both clones share
//===----------------------------------------------------------------------===//

/// Stores each value that is live into \p Entry and not yet in its slot. The stores stand at the
/// end of \p At, a block of F. \p VMap is null in the fast clone.
void Splitter::storeLive(BasicBlock *Entry, BasicBlock *At, ValueToValueMapTy *VMap) {
  for (Value *V : X->liveInto(Entry)) {
    auto Slot = Fr->Slots.find(V);
    if (Slot == Fr->Slots.end() || X->isInSlotAfter(V, At))
      continue;
    Value *Now = B.CreateLoad(V->getType(), in(Fr->Demoted[V], VMap));
    B.CreateStore(Now, field(Slot->second));
  }
}

/// Loads the values that are live into \p Entry.
void Splitter::loadLive(BasicBlock *Entry, ValueToValueMapTy *VMap) {
  for (Value *V : X->liveInto(Entry)) {
    auto Slot = Fr->Slots.find(V);
    assert(Slot != Fr->Slots.end() && "live, but has no slot");
    B.CreateStore(B.CreateLoad(V->getType(), field(Slot->second)), in(Fr->Demoted[V], VMap));
  }
}

LandingPadInst *Splitter::catchAll() {
  LandingPadInst *LP = B.CreateLandingPad(StructType::get(B.getPtrTy(), B.getInt32Ty()), 1);
  LP->addClause(ConstantPointerNull::get(B.getPtrTy()));
  return LP;
}

/// In the slow clone: keeps the exception of \p Pad, which the fast clone raises at resume number
/// \p Resume.
void Splitter::keepThrow(Value *Pad, BasicBlock *Rest, BasicBlock *From, unsigned Resume,
                         unsigned Region, ValueToValueMapTy *VMap) {
  if (Rest)
    storeLive(Rest, From, VMap);
  Value *Exn = B.CreateExtractValue(Pad, 0);
  B.CreateRet(
      B.CreateCall(RT.entry("nopal_throw"), {Base, Exn, B.getInt32(Resume), B.getInt32(Region)}));
}

/// Up to this many spawns, all fast paths are inlined; with more, only those in loops, up to this
/// many. So are the helpers. A few hundred copies are larger than a first-level instruction cache,
/// and take most of the compile time.
static constexpr unsigned MostInline = 64;

/// Chooses the spawns whose fast path is inlined, and in the fast clone the helper too. The slow
/// clone inlines the fast path only in loops, which it runs from a steal to their end.
void Splitter::chooseInline() {
  unsigned InLoops = 0;
  for (const SpawnPoint &S : P.Spawns)
    IsInline.push_back(P.Spawns.size() <= MostInline || (S.InLoop && InLoops++ < MostInline));
}

/// Pops the frame. Continues in \p Here if it was not stolen, else in \p Lost.
void Splitter::pop(BasicBlock *Here, BasicBlock *Lost, bool InLine) {
  // The fast path needs nothing of the push (runtime/fastpath/fastpath.cpp).
  CallInst *Pop = B.CreateCall(RT.entry("nopal_fast_pop"), {Base, B.getInt64(0)});
  if (!InLine)
    Pop->setIsNoInline();
  B.CreateCondBr(Pop, Here, Lost, MDBuilder(M.getContext()).createBranchWeights(2000, 1));
}

/// Lowers the landing pad of \p S, where its child's exceptions arrive. Other spawns may share the
/// pad.
void Splitter::lowerSpawnPad(const SpawnPoint &S, Clone Kind, ValueToValueMapTy *VMap) {
  const bool IsSlow = Kind == Clone::Slow;
  BasicBlock *Pad = in(S.Unwind.Pad, VMap);
  Function &Fn = *Pad->getParent();
  LLVMContext &C = Fn.getContext();
  auto *Threw = BasicBlock::Create(C, IsSlow ? "left.thrown" : "stolen.thrown", &Fn);
  LandingPadInst *LP = Pad->getLandingPadInst();
  LP->setCleanup(true); // the pop runs here, whichever handler follows
  if (IsSlow) {
    // Catches everything, whatever the handlers in the fast clone catch.
    B.SetInsertPoint(LP);
    LandingPadInst *All = catchAll();
    LP->replaceAllUsesWith(All);
    LP->eraseFromParent();
    LP = All;
  }
  Pad->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Pad);
  auto *Here = BasicBlock::Create(C, IsSlow ? "keep" : "child.thrown", &Fn);
  pop(Here, Threw, /*InLine=*/false);
  B.SetInsertPoint(Here);
  if (IsSlow) {
    keepThrow(LP, S.Unwind.Rest, S.Unwind.Pad, ResumeAt[S.Unwind.Rest], S.Region, VMap);
    B.SetInsertPoint(Threw);
    B.CreateRet(B.CreateCall(RT.entry("nopal_leave_thrown"),
                             {Base, B.CreateExtractValue(LP, 0), Order, B.getInt32(S.Region)}));
    return;
  }
  reloadAfter(all_of(P.Spawns,
                     [&](const SpawnPoint &Other) {
                       return Other.Unwind.Pad != S.Unwind.Pad || Other.InLoop;
                     }),
              S.Unwind.Pad, S.Unwind.Rest);
  if (P.SeveralRegions)
    mergeAtPad(Here, S.Unwind, S.Region);
  else
    B.CreateBr(S.Unwind.Rest);
  B.SetInsertPoint(Threw);
  B.CreateCall(RT.entry("nopal_suspend_thrown"),
               {Base, B.CreateExtractValue(LP, 0), B.getInt32(S.Region)});
  B.CreateUnreachable(); // becomes the branch to resume
}

/// Ends a part: tail-calls the part that is entered after spawn \p Index, perhaps this one.
BasicBlock *Splitter::onward(unsigned Index) {
  auto *Onward = BasicBlock::Create(M.getContext(), "onward", Slow);
  B.SetInsertPoint(Onward);
  B.SetCurrentDebugLocation(noLine(*Slow));
  CallInst *Call = B.CreateCall(slowOf(Index), {Base});
  Call->setTailCallKind(CallInst::TCK_MustTail);
  Call->setDoesNotThrow();
  B.CreateRet(Call);
  return Onward;
}

/// Pushes the frame where B inserts, which is at the end of a block \p At of F or in its copy, with
/// all stored that is live after \p S.
void Splitter::push(const SpawnPoint &S, unsigned Index, Clone Kind, ValueToValueMapTy *VMap,
                    bool InLine) {
  const bool IsSlow = Kind == Clone::Slow;
  BasicBlock *At = S.Marker->getParent();
  storeLive(S.Cont, At, VMap);
  if (!IsSlow && !P.SeveralRegions && !X->isEnteredBefore(At))
    enterFrame();
  Value *Site = B.CreatePtrToInt(Sites[Index], B.getInt64Ty());
  B.CreateCall(RT.entry("nopal_fast_site"),
               {Base, IsSlow ? B.CreateOr(Site, NOPAL_SITE_SLOW) : Site});
  if (!IsSlow && Fr->StackPointer)
    B.CreateStore(B.CreateStackSave(), field(Fr->StackPointer));
  CallInst *Push = B.CreateCall(RT.entry("nopal_fast_push"), {Base});
  if (!InLine)
    Push->setIsNoInline();
}

/// Replaces \p Marker, that of \p S or its copy, by the call of the child and the pop.
CallBase *Splitter::callChild(const SpawnPoint &S, CallBase *Marker, Clone Kind,
                              ValueToValueMapTy *VMap, BasicBlock *Cont, BasicBlock *Lost,
                              bool InLine) {
  SmallVector<Value *, 8> Args(cast<SpawnMarker>(Marker)->helperOperands());
  if (auto *II = dyn_cast<InvokeInst>(Marker)) {
    auto *Back = BasicBlock::Create(M.getContext(), "child.back", Marker->getFunction(), Cont);
    CallBase *Child = B.CreateInvoke(S.Helper, Back, in(S.Unwind.Pad, VMap), Args);
    B.SetInsertPoint(Back);
    pop(Cont, Lost, InLine);
    II->eraseFromParent();
    if (LoweredPads.insert(S.Unwind.Pad).second)
      lowerSpawnPad(S, Kind, VMap);
    return Child;
  }
  CallInst *Child = B.CreateCall(S.Helper, Args);
  Child->setTailCallKind(CallInst::TCK_None);
  Marker->getParent()->getTerminator()->eraseFromParent();
  Marker->eraseFromParent();
  B.SetInsertPoint(Child->getParent());
  pop(Cont, Lost, InLine);
  return Child;
}

void Splitter::lowerSpawn(const SpawnPoint &S, unsigned Index, Clone Kind,
                          ValueToValueMapTy *VMap) {
  const bool IsSlow = Kind == Clone::Slow;
  CallBase *Marker = in(S.Marker, VMap);
  BasicBlock *Cont = in(S.Cont, VMap);
  Function &Fn = *Marker->getFunction();
  if (IsSlow && !Parts.empty() && Index % spawnsOfPart() == 0)
    Cont = onward(Index);
  DebugLoc Loc = Marker->getDebugLoc();
  if (!Loc)
    Loc = noLine(Fn);
  auto Records = takeLastRecords(*Marker, ChildRecords[Index]);
  B.SetInsertPoint(Marker);
  B.SetCurrentDebugLocation(Loc);
  const bool InLine = IsInline[Index] && (!IsSlow || S.InLoop);
  push(S, Index, Kind, VMap, InLine);

  // The continuation was stolen: control leaves this clone, for good if it is slow. In a function
  // with many spawns all of them share the block, which then has no line.
  const bool SharesStolen = !IsSlow && P.Spawns.size() > MostInline;
  BasicBlock *Lost = IsSlow ? Left : SharesStolen ? Stolen : nullptr;
  const bool IsNewLost = !Lost;
  if (IsNewLost)
    Lost = BasicBlock::Create(Fn.getContext(), "stolen", &Fn);
  if (SharesStolen)
    Stolen = Lost;
  CallBase *Child = callChild(S, Marker, Kind, VMap, Cont, Lost, InLine);
  for (DbgVariableRecord *R : Records)
    Child->getParent()->insertDbgRecordBefore(R, Child->getIterator());
  Child->setDebugLoc(Loc);
  Child->setCallingConv(S.Helper->getCallingConv());
  if (IsInline[Index] && !S.Helper->hasFnAttribute(SpawnerAttr) && !mark::isClone(*S.Helper))
    mark::set(*Child, mark::Child);
  if (IsSlow)
    return;
  B.SetInsertPoint(Cont, Cont->getFirstInsertionPt());
  reloadAfter(S.InLoop, Cont, Cont);
  if (!IsNewLost)
    return;
  B.SetInsertPoint(Lost);
  if (SharesStolen && Loc)
    B.SetCurrentDebugLocation(noLine(Fn));
  B.CreateCall(RT.entry("nopal_suspend"), {Base});
  B.CreateUnreachable(); // becomes the branch to resume
}

//===----------------------------------------------------------------------===//
// The order of work
//===----------------------------------------------------------------------===//

/// Removes the attributes of \p F that splitting makes false.
static void forgetEffects(Function &F) {
  for (Attribute::AttrKind K :
       {Attribute::Memory, Attribute::NoSync, Attribute::NoFree, Attribute::WillReturn,
        Attribute::Speculatable, Attribute::NoRecurse})
    F.removeFnAttr(K);
}

/// Promotes \p Slot to values, from each load back to the stores before it. PromoteMemToReg visits
/// all that a store dominates. With thousands of spawns and as many values, that is most of the
/// function for each value.
static void promote(AllocaInst &Slot) {
  SmallVector<Instruction *, 16> Accesses;
  for (User *U : Slot.users())
    Accesses.push_back(cast<Instruction>(U));
  SSAUpdater Values;
  LoadAndStorePromoter Promoter(Accesses, Values, Slot.getName());
  Promoter.run(Accesses);
  Slot.eraseFromParent();
}

void Splitter::finish(Function &Clone, ArrayRef<AllocaInst *> Demoted) {
  // A block whose terminator was replaced may still have the old one's debug records at its end,
  // where no pass looks for them.
  for (BasicBlock &BB : Clone)
    BB.flushTerminatorDbgRecords();
  removeUnreachableBlocks(Clone);
  DominatorTree DT(Clone);
  dropDeadLoads(Clone, Demoted);
  for (AllocaInst *Slot : Demoted)
    promote(*Slot);
  forgetStray(Clone, DT);
  forgetEffects(Clone);
  Clone.removeFnAttr(SpawnerAttr);
  // Recursion runs a fast clone as often as a loop runs its body, so it starts on a cache line.
  // Without that, fib was 12 % slower when its code began in the middle of one.
  if (&Clone == &F)
    Clone.setAlignment(std::max(Align(64), Clone.getAlign().valueOrOne()));
}

/// Normalizes the function and finds what is live across its suspend points. Returns why it cannot
/// be split, if so; \p At is where that shows.
std::optional<Refusal> Splitter::analyze(const Instruction *&At) {
  if (const auto Why = whyNotSplittable(F, At))
    return Why;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *II = dyn_cast<InvokeInst>(&I); II && isMarker(I, Marker::Private))
      changeToCall(II);
  P = normalize(F);
  if (!P.Spawns.empty())
    At = P.Spawns.front().Marker;
  X.emplace(F, P);
  if (any_of(X->values(),
             [](Value *V) { return V->getType()->isTokenTy() || V->getType()->isScalableTy(); }))
    return Refusal::NoMemory;
  if (startsVarArgs(P))
    return Refusal::VaStart;
  return std::nullopt;
}

/// Copies the function into its slow clone, which buildSlow changes then.
void Splitter::copyIntoSlow(ValueToValueMapTy &VMap) {
  // A helper that spawns is not inlined, so it does not need them. Copying the function would copy
  // its parent's subprogram and compilation unit too.
  F.setMetadata(ScopeOrigins, nullptr);
  for (Argument &A : F.args())
    VMap[&A] = PoisonValue::get(A.getType());
  SharedMetadata Shared(F.getSubprogram(), VMap);
  for (Instruction &I : instructions(F))
    Shared.add(I);
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Slow, &F, VMap, CloneFunctionChangeType::LocalChangesOnly, Returns);
  describeSlowClone(*Slow, VMap);
  setSlowCloneAttributes();
}

void Splitter::setSlowCloneAttributes() {
  AttrBuilder FnAttrs(F.getContext(), F.getAttributes().getFnAttrs());
  // These hold only for the function's arguments, result or callers.
  for (Attribute::AttrKind K :
       {Attribute::NoReturn, Attribute::AllocSize, Attribute::AllocKind, Attribute::Hot})
    FnAttrs.removeAttribute(K);
  // The frame's epilogue restores its caller's registers; without optimization the slow clone's
  // would restore the one with its result, too.
  FnAttrs.removeAttribute("no_caller_saved_registers");
  Slow->setAttributes(AttributeList::get(F.getContext(), AttributeList::FunctionIndex, FnAttrs));
  Slow->addFnAttr(mark::Clone, mark::Slow);
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
}

void Splitter::run() {
  PrettyStackTraceString Where("Nopal: splitting a spawning function");
  const Instruction *At = nullptr;
  if (const auto Why = analyze(At)) {
    if (!Layout)
      remarkNotSplit(F, At, messageOf(*Why));
    refuse(F, *Why, At ? At->getDebugLoc() : DebugLoc());
    return;
  }
  numberResumePoints();
  lowerPrivates();
  Fr.emplace(F, P, *X);
  if (Layout)
    printFrame(*Layout, F, P, *Fr);
  else
    remarkSplit(F, P, *Fr);
  ChildRecords = describeLive(F, P, *X, *Fr);
  chooseInline();

  Slow = createSlow();
  createParts();
  for (auto [I, S] : enumerate(P.Spawns))
    Sites.push_back(
        createSite(F, slowOf(I), cast<SpawnMarker>(*S.Marker), I, Fr->FrameAddress, RT));
  mark::set(*Fr->Memory, mark::Frame);
  ValueToValueMapTy VMap;
  copyIntoSlow(VMap);
  F.addFnAttr(mark::Clone, mark::Fast);
  buildSlow(*Slow, VMap);
  divideSlow(*Slow, Parts);
  buildFast();
}

/// Without optimization the sizes of objects are still asked for. Afterwards a local is a part of
/// the frame, whose size would be the answer.
static void lowerObjectSizes(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *II = dyn_cast<IntrinsicInst>(&I); II && II->getIntrinsicID() == Intrinsic::objectsize)
      if (Value *Size = lowerObjectSizeCall(II, F.getDataLayout(), /*TLI=*/nullptr,
                                            /*MustSucceed=*/false)) {
        II->replaceAllUsesWith(Size);
        II->eraseFromParent();
      }
}

PreservedAnalyses SplitFunctionsPass::run(Module &M, ModuleAnalysisManager &) {
  const auto Spawners = callersOf(M, Marker::Spawn);
  if (Spawners.empty())
    return PreservedAnalyses::all();
  if (const Triple Target = compat::targetOf(M); !isSupportedTarget(Target)) {
    refuse(M, Refusal::Target, Target.str(), fastPathTargets());
    return PreservedAnalyses::all();
  }
  Runtime RT(M);
  for (Function *F : Spawners) {
    lowerObjectSizes(*F);
    Splitter(*F, RT, Layout).run();
  }
  return PreservedAnalyses::none();
}
