//===- Lowering.cpp - Markers become serial code with hooks ---------------===//
//
// See Lowering.h.
//
//   before                                     after
//   ------                                     -----
//   f:                                         f:
//     ...                                        nopal_hook_enter(@f.hooks)
//     invoke __nopal_spawn(@f.spawn, .., %x)     nopal_hook_spawn(@site)
//       to next unwind pad                       invoke f.spawn(%x) to returned unwind thrown
//                                              returned:
//                                                nopal_hook_return(@site); br next
//                                              thrown: landingpad as in pad, cleanup
//                                                nopal_hook_return(@site); br pad's rest
//   next: ...                                  next: ...
//     __nopal_sync(0)                            nopal_hook_sync(@f.hooks)
//     ret                                        nopal_hook_leave(@f.hooks); ret
//   pad: ...                                   pad's rest: ...
//
// A call that may throw past f becomes an invoke, whose pad calls nopal_hook_leave.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "../contract/Attributes.h"
#include "../contract/HookCalls.h"
#include "../contract/Markers.h"
#include "../contract/Option.h"
#include "../contract/Refusal.h"
#include "../contract/Serial.h"
#include "../split/LeafCost.h"
#include "../split/SmallLoops.h"
#include "Sites.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/EscapeEnumerator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::serial;

static const cl::opt<bool> &Serial =
    option("nopal-serial", false, "Lower spawns to serial code with hooks, for a tool's library");

PreservedAnalyses ChooseSerialPass::run(Module &M, ModuleAnalysisManager &) {
  if (Serial && !isSerial(M))
    M.addModuleFlag(Module::Max, SerialFlag, 1);
  return PreservedAnalyses::all();
}

namespace {

/// Puts code where a call ends, by a return and by an exception.
using AtEnd = function_ref<void(IRBuilderBase &)>;

class Lowering {
public:
  explicit Lowering(Module &M) : M(M), S(M) {}
  void lowerSpawn(SpawnMarker &Spawn);
  void lowerLoop(LoopMarker &Loop, FunctionAnalysisManager &FAM);
  void lowerSync(CallBase &Sync);
  /// Hooks at the entry of \p F and wherever it is left.
  void addFrame(Function &F);
  void tellFresh(PrivateMarker &Private);

private:
  void setPersonality(Function &F);
  /// What \p Call throws passes \p End.
  void endThrown(CallBase &Call, AtEnd End);

  Module &M;
  Sites S;
};

void Lowering::setPersonality(Function &F) {
  if (!F.hasPersonalityFn())
    F.setPersonalityFn(cast<Constant>(
        M.getOrInsertFunction("__gcc_personality_v0",
                              FunctionType::get(Type::getInt32Ty(M.getContext()), true))
            .getCallee()));
}

void Lowering::endThrown(CallBase &Call, AtEnd End) {
  Function &F = *Call.getFunction();
  LLVMContext &C = M.getContext();
  if (auto *II = dyn_cast<InvokeInst>(&Call)) {
    // The pad may be that of other calls as well.
    SmallVector<BasicBlock *, 2> Parts;
    SplitLandingPadPredecessors(II->getUnwindDest(), {II->getParent()}, ".thrown", ".other", Parts);
    LandingPadInst *Pad = Parts[0]->getLandingPadInst();
    Pad->setCleanup(true);
    IRBuilder<> B(Parts[0], std::next(Pad->getIterator()));
    B.SetCurrentDebugLocation(Call.getDebugLoc());
    End(B);
    return;
  }
  if (Call.doesNotThrow() || F.doesNotThrow())
    return;
  setPersonality(F);
  auto *Thrown = BasicBlock::Create(C, "thrown", &F);
  IRBuilder<> B(Thrown);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  auto *Pad =
      B.CreateLandingPad(StructType::get(PointerType::getUnqual(C), Type::getInt32Ty(C)), 0);
  Pad->setCleanup(true);
  End(B);
  B.CreateResume(Pad);
  changeToInvokeAndSplitBasicBlock(cast<CallInst>(&Call), Thrown);
}

/// The marker ends its block: by an invoke, or by the branch that is put after the call.
/// Returns where control goes on.
BasicBlock *blockAfter(CallBase &Marker) {
  if (auto *II = dyn_cast<InvokeInst>(&Marker))
    return II->getNormalDest();
  return Marker.getParent()->splitBasicBlock(std::next(Marker.getIterator()), "next");
}

/// Puts a call of \p Callee at the end of \p B's block; an invoke if \p Marker is one.
/// Control goes to \p Next.
CallBase *callChild(IRBuilderBase &B, Function &Callee, ArrayRef<Value *> Args,
                    const CallBase &Marker, BasicBlock *Next) {
  CallBase *Call;
  const auto *II = dyn_cast<InvokeInst>(&Marker);
  if (II) {
    Call = B.CreateInvoke(&Callee, Next, II->getUnwindDest(), Args);
  } else {
    Call = B.CreateCall(&Callee, Args);
    B.CreateBr(Next);
  }
  Call->setCallingConv(Callee.getCallingConv());
  if (Marker.doesNotThrow() || Callee.doesNotThrow())
    Call->setDoesNotThrow();
  return Call;
}

/// Erases \p Marker and all after it in its block. The invoke's successors have learnt
/// of their new predecessors.
void eraseWithRest(CallBase &Marker) {
  BasicBlock *BB = Marker.getParent();
  if (!Marker.isTerminator())
    BB->getTerminator()->eraseFromParent();
  Marker.eraseFromParent();
}

void Lowering::lowerSpawn(SpawnMarker &Spawn) {
  Function &F = *Spawn.getFunction();
  LLVMContext &C = M.getContext();
  Function *Helper = Spawn.helper();
  if (!Helper || Helper->arg_size() + SpawnMarker::FirstOfRest != Spawn.arg_size()) {
    refuse(F, Refusal::MergedSpawn, Spawn.getDebugLoc());
    return;
  }
  GlobalVariable *Site = S.create(F, NOPAL_HOOK_SPAWN, Spawn.file(), Spawn.line(), Spawn.column(),
                                  Spawn.getDebugLoc());
  BasicBlock *Before = Spawn.getParent(), *Next = blockAfter(Spawn);
  auto *Returned = BasicBlock::Create(C, "returned", &F, Next);
  IRBuilder<> B(Returned);
  B.SetCurrentDebugLocation(Spawn.getDebugLoc());
  auto End = [&](IRBuilderBase &At) { ReturnHook::create(At, Site); };
  End(B);
  B.CreateBr(Next);
  Next->replacePhiUsesWith(Before, Returned);

  B.SetInsertPoint(&Spawn);
  SpawnHook::create(B, Site);
  SmallVector<Value *, 8> Args(Spawn.helperOperands());
  CallBase *Call = callChild(B, *Helper, Args, Spawn, Returned);
  eraseWithRest(Spawn);
  endThrown(*Call, End);
}

///   %leaf = nopal_hook_loop(@site, %n, %grain, least)
///   br %n == 0, done, body
/// body:
///   %lo = phi [0], [%hi, cont]
///   %hi = %n - %lo > %leaf ? %lo + %leaf : %n
///   nopal_hook_leaf(@site, %lo, %hi)
///   f.leaf(.., %lo, %hi)                        throws: both hooks below, then the marker's pad
/// cont:
///   nopal_hook_leaf_end(@site)
///   br %hi < %n, body, done
/// done:
///   nopal_hook_loop_end(@site)
void Lowering::lowerLoop(LoopMarker &Loop, FunctionAnalysisManager &FAM) {
  Function &F = *Loop.getFunction();
  LLVMContext &C = M.getContext();
  Function *Leaf = split::leafOf(Loop);
  if (!Leaf) {
    refuse(F, Refusal::MergedLoop, Loop.getDebugLoc());
    return;
  }
  GlobalVariable *Site =
      S.create(F, NOPAL_HOOK_LOOP, Loop.file(), Loop.line(), Loop.column(), Loop.getDebugLoc());
  BasicBlock *Before = Loop.getParent(), *Next = blockAfter(Loop);
  auto *Body = BasicBlock::Create(C, "leaf", &F, Next);
  auto *Cont = BasicBlock::Create(C, "leaf.end", &F, Next);
  auto *Done = BasicBlock::Create(C, "loop.end", &F, Next);
  IRBuilder<> B(&Loop);
  Value *Count = Loop.count(), *Zero = B.getInt64(0);
  Value *Most = LoopHook::create(
      B, Site, Count, Loop.grain(),
      B.getInt64(split::leastGrain(*Leaf, FAM.getResult<TargetIRAnalysis>(*Leaf))));
  B.CreateCondBr(B.CreateICmpEQ(Count, Zero), Done, Body);

  B.SetInsertPoint(Body);
  PHINode *Low = B.CreatePHI(B.getInt64Ty(), 2, "lo");
  Value *IsMore = B.CreateICmpUGT(B.CreateSub(Count, Low), Most);
  Value *High = B.CreateSelect(IsMore, B.CreateAdd(Low, Most), Count, "hi");
  Low->addIncoming(Zero, Before);
  Low->addIncoming(High, Cont);
  LeafHook::create(B, Site, Low, High);
  SmallVector<Value *, 8> Args(Loop.helperOperands());
  Args.append({Low, High});
  CallBase *Call = callChild(B, *Leaf, Args, Loop, Cont);
  if (auto *II = dyn_cast<InvokeInst>(Call))
    II->getUnwindDest()->replacePhiUsesWith(Before, Body);

  B.SetInsertPoint(Cont);
  LeafEndHook::create(B, Site);
  B.CreateCondBr(B.CreateICmpULT(High, Count), Body, Done);
  B.SetInsertPoint(Done);
  LoopEndHook::create(B, Site);
  B.CreateBr(Next);
  Next->replacePhiUsesWith(Before, Done);
  eraseWithRest(Loop);
  endThrown(*Call, [&](IRBuilderBase &At) {
    LeafEndHook::create(At, Site);
    LoopEndHook::create(At, Site);
  });
}

/// Erases the syncs of \p F that no spawn comes before on any path from its entry or from
/// another sync: they wait for nothing.
void eraseIdleSyncs(Function &F) {
  SmallPtrSet<BasicBlock *, 16> Outstanding; // at their beginning a child may be
  auto Walk = [&](BasicBlock &BB, function_ref<void(CallBase &)> AtIdleSync) {
    bool Is = Outstanding.contains(&BB);
    for (Instruction &I : make_early_inc_range(BB)) {
      if (isMarker(I, Marker::Spawn)) {
        Is = true;
      } else if (isMarker(I, {Marker::Sync, Marker::SyncInFlight})) {
        if (!Is)
          AtIdleSync(cast<CallBase>(I));
        Is = false;
      }
    }
    return Is;
  };
  SmallVector<BasicBlock *, 16> Work;
  for (BasicBlock &BB : F)
    Work.push_back(&BB);
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (Walk(*BB, [](CallBase &) {}))
      for (BasicBlock *S : successors(BB))
        if (Outstanding.insert(S).second)
          Work.push_back(S);
  }
  for (BasicBlock &BB : F)
    Walk(BB, [](CallBase &Sync) { eraseMarker(Sync); });
}

/// An exception goes on when all children have ended, before any cleanup or handler: the slow
/// clone ends where one comes (split/README.md).
void syncAtLandingPads(Function &F) {
  Value *Region = ConstantInt::get(Type::getInt32Ty(F.getContext()), 0);
  for (BasicBlock &BB : F)
    if (BB.isLandingPad())
      SyncMarker::create(BB.getFirstInsertionPt(), Region)
          ->setDebugLoc(BB.getLandingPadInst()->getDebugLoc());
}

void Lowering::lowerSync(CallBase &Sync) {
  IRBuilder<> B(&Sync);
  SyncHook::create(B, S.of(*Sync.getFunction()));
  eraseMarker(Sync);
}

void Lowering::tellFresh(PrivateMarker &Private) {
  IRBuilder<> B(Private.getParent(), std::next(Private.getIterator()));
  B.SetCurrentDebugLocation(Private.getDebugLoc());
  FreshHook::create(B, &Private, Private.bytes());
}

void Lowering::addFrame(Function &F) {
  GlobalVariable *Site = S.of(F);
  // An exception that no handler of F takes must leave F by a cleanup too.
  for (BasicBlock &BB : F)
    if (LandingPadInst *Pad = BB.getLandingPadInst())
      Pad->setCleanup(true);
  DebugLoc Start;
  if (DISubprogram *SP = F.getSubprogram())
    Start = DILocation::get(M.getContext(), SP->getLine(), 0, SP);
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  B.SetCurrentDebugLocation(Start);
  EnterHook::create(B, Site);
  const bool MayThrow = !F.doesNotThrow();
  EscapeEnumerator Escapes(F, "nopal.leave", MayThrow);
  while (IRBuilder<> *At = Escapes.Next()) {
    if (!At->getCurrentDebugLocation())
      At->SetCurrentDebugLocation(Start);
    LeaveHook::create(*At, Site);
  }
  F.removeFnAttr(SpawnerAttr); // it is none any more
}

} // namespace

PreservedAnalyses LowerSeriallyPass::run(Module &M, ModuleAnalysisManager &AM) {
  if (!isSerial(M))
    return PreservedAnalyses::all();
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  Lowering L(M);
  SmallSetVector<Function *, 16> Spawners, Changed;
  for (Function *F : callersOf(M, {Marker::Spawn, Marker::Sync, Marker::SyncInFlight})) {
    syncAtLandingPads(*F);
    eraseIdleSyncs(*F);
    Spawners.insert(F);
  }
  for (CallBase *CB : callsOf(M, Marker::Private))
    L.tellFresh(cast<PrivateMarker>(*CB));
  for (LoopMarker *Loop : split::loopMarkers(M)) {
    Changed.insert(Loop->getFunction());
    L.lowerLoop(*Loop, FAM);
  }
  for (CallBase *CB : callsOf(M, {Marker::Sync, Marker::SyncInFlight}))
    L.lowerSync(*CB);
  for (CallBase *CB : callsOf(M, Marker::Spawn))
    L.lowerSpawn(cast<SpawnMarker>(*CB));
  for (Function *F : Spawners) {
    removeUnreachableBlocks(*F);
    if (!hasMarker(*F, Marker::Spawn)) // else refused
      L.addFrame(*F);
  }
  if (Spawners.empty() && Changed.empty())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}
