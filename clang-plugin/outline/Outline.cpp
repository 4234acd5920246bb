//===- Outline.cpp - The early pass: spawned children become helpers ------===//
//
// See Passes.h. The control flow of `x = cilk_spawn f(a);` is cut like this (dotted edges only with
// exceptions):
//
//   before                               after
//   ------                               -----
//   begin(id)     . . . . pad P          %a = load ...
//   %a = load ...                        __nopal_spawn(@h, %x, %a) . . pad P
//   %r = call @f(%a) #flag . . pad C     br end
//   store %r, %x                       end: ...
//   end(id)
// pad C: cleanups of the child          define internal void @h(%x, %a):
//        br (into P's blocks)             %r = call @f(%a) . . pad C
// pad P: ...                              store %r, %x
//                                         ret void
//                                       pad C: cleanups of the child; resume
//
//===----------------------------------------------------------------------===//
#include "Passes.h"

#include "../analysis/Functions.h"
#include "../analysis/Migration.h"
#include "../analysis/Remarks.h"
#include "../analysis/ThreadBound.h"
#include "../contract/Abi.h"
#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "../contract/Refusal.h"
#include "../contract/Serial.h"
#include "CleanupExits.h"
#include "ConditionalCleanup.h"
#include "Labels.h"
#include "LoopOperands.h"
#include "Loops.h"
#include "Nested.h"
#include "Outliner.h"
#include "PassThroughSync.h"
#include "SpawnedCalls.h"
#include "StackProbes.h"
#include "Syncs.h"
#include "VarArgs.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::outline;

/// Frees a temporary on the heap where an exception of the parent, which has destroyed it, leaves
/// the statement.
///
///   parent's pad: ~T(%tmp); br outer    =>    ... ~T(%tmp); nopal_temporary_free(%tmp); br outer
///   parent's pad: ~T(%tmp); resume      =>    ... ~T(%tmp); nopal_temporary_free(%tmp); resume
void Outliner::freeOnParentPads() {
  if (HeapTemporaries.empty())
    return;
  // A pad that other statements share is not part of this statement, nor are blocks that only such
  // pads reach.
  BlockSet Mine;
  for (BasicBlock *BB : R.ParentPads)
    if (!R.Shared.contains(BB))
      Mine.insert(BB);
  auto IsMine = [&](BasicBlock *BB) { return Mine.contains(BB); };
  auto ComesFromElsewhere = [&](BasicBlock *BB) {
    return any_of(predecessors(BB), [&](BasicBlock *Pred) {
      return !IsMine(Pred) && !R.Parent.contains(Pred) && !R.Child.contains(Pred);
    });
  };
  while (Mine.remove_if(ComesFromElsewhere))
    ;
  SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> Exits;
  SmallVector<Instruction *, 4> Resumes;
  for (BasicBlock *BB : R.ParentPads) {
    if (!IsMine(BB))
      continue;
    if (isa<ResumeInst>(BB->getTerminator()))
      Resumes.push_back(BB->getTerminator());
    for (BasicBlock *S : successors(BB))
      if (!IsMine(S) && !S->isLandingPad())
        Exits.push_back({BB, S});
  }
  FunctionCallee Free = Abi(M).function("nopal_temporary_free");
  auto FreeAt = [&](Instruction *Where) {
    for (CallInst *Memory : HeapTemporaries)
      CallInst::Create(Free, {Memory}, "", Where->getIterator())
          ->setDebugLoc(R.Begin->getDebugLoc());
  };
  for (auto [From, To] : Exits)
    FreeAt(SplitEdge(From, To)->getTerminator());
  for (Instruction *I : Resumes)
    FreeAt(I);
  // While there is nothing to destroy, the exception goes straight to the begin marker's pad, so
  // part of that pad is split off.
  SmallMapVector<BasicBlock *, SmallVector<BasicBlock *, 4>, 2> Straight;
  for (BasicBlock *BB : R.Parent)
    if (auto *II = dyn_cast<InvokeInst>(BB->getTerminator());
        II && BB != R.Begin->getParent() && R.Shared.contains(II->getUnwindDest()))
      Straight[II->getUnwindDest()].push_back(BB);
  for (auto &[Pad, From] : Straight) {
    SmallVector<BasicBlock *, 2> Pads;
    SplitLandingPadPredecessors(Pad, From, ".parent", ".begin", Pads);
    FreeAt(Pads.front()->getTerminator());
  }
}

void Outliner::rewriteParent() {
  freeOnParentPads();
  auto *Marker = BasicBlock::Create(M.getContext(), R.IsLoop ? "loop" : "spawn", &F, R.ChildStart);
  // All edges into the child lead to the marker now. The child's blocks stay only as far as the
  // parent's own exceptions need them.
  for (BasicBlock *Pred : to_vector(predecessors(R.ChildStart))) {
    Instruction *End = Pred->getTerminator();
    End->replaceSuccessorWith(R.ChildStart, Marker);
    // Where a block was split for the child, the branch got the child's line.
    if (isa<BranchInst>(End) && End->getNumSuccessors() == 1)
      End->setDebugLoc(R.Begin->getDebugLoc());
  }
  for (auto [AI, Load] : ByValue) {
    Load->insertInto(Marker, Marker->end());
    Load->setDebugLoc(R.Begin->getDebugLoc());
  }
  if (R.IsLoop)
    callLoop(Marker);
  else if (R.IsCalled)
    callBetween(Marker, Helper, Inputs.getArrayRef());
  else
    callSpawn(Marker);
  if (R.End)
    R.End->eraseFromParent();
  auto *Invoke = dyn_cast<InvokeInst>(R.Begin);
  BasicBlock *Pad = Invoke ? Invoke->getUnwindDest() : nullptr;
  eraseMarker(*R.Begin);
  removeDeadChild(Pad);
}

/// Removes the child's blocks that no exception of the parent needs, and the blocks that only they
/// reach. Visits no other block, since the function may have thousands of spawns.
void Outliner::removeDeadChild(BasicBlock *Pad) {
  BlockSet Live, Next;
  SmallVector<BasicBlock *, 16> Work;
  for (BasicBlock *BB : R.Child)
    if (any_of(predecessors(BB), [&](BasicBlock *Pred) { return !R.Child.contains(Pred); }))
      Work.push_back(BB);
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (R.Child.contains(BB) && Live.insert(BB))
      append_range(Work, successors(BB));
  }
  SmallVector<BasicBlock *, 16> Dead;
  for (BasicBlock *BB : R.Child)
    if (!Live.contains(BB))
      Dead.push_back(BB);
  if (Pad)
    Next.insert(Pad);
  for (BasicBlock *BB : Dead)
    for (BasicBlock *S : successors(BB))
      if (!R.Child.contains(S) || Live.contains(S))
        Next.insert(S);
  DeleteDeadBlocks(Dead);
  while (!Next.empty()) {
    BasicBlock *BB = Next.pop_back_val();
    if (!pred_empty(BB) || BB->isEntryBlock())
      continue;
    Next.insert(succ_begin(BB), succ_end(BB));
    DeleteDeadBlock(BB);
  }
}

void Outliner::callSpawn(BasicBlock *Marker) {
  SmallVector<Value *, 16> Args{Helper, R.Begin->file(), R.Begin->line(), R.Begin->column(),
                                R.Begin->region()};
  append_range(Args, Inputs);
  // One marker for two spawns would have an unknown helper.
  CallBase *Call = callBetween(Marker, SpawnMarker::declare(M), Args);
  Call->addFnAttr(Attribute::NoMerge);
  remarkOutlined(*Call, *Helper);
}

/// \p V as an operand, emitted at the end of \p At. Whole-program devirtualization would take a
/// call that passes a virtual function for a call of that function. So the operand must hide its
/// origin.
static Value *passed(Value *V, BasicBlock *At) {
  const Module &M = *At->getModule();
  if (!V->getType()->isPointerTy() || !isa<LoadInst, ExtractValueInst, PHINode, SelectInst>(V) ||
      none_of(ArrayRef<Intrinsic::ID>{Intrinsic::type_test, Intrinsic::public_type_test,
                                      Intrinsic::type_checked_load,
                                      Intrinsic::type_checked_load_relative},
              [&](Intrinsic::ID ID) { return M.getFunction(Intrinsic::getName(ID)); }))
    return V;
  return new FreezeInst(V, "", At);
}

/// The call in \p Marker that stands for the child:
///
///   call or invoke @callee(operands), to EndBlock, unwinding where the begin marker did
CallBase *Outliner::callBetween(BasicBlock *Marker, FunctionCallee Callee,
                                ArrayRef<Value *> Operands) {
  SmallVector<Value *, 16> Args;
  for (Value *V : Operands)
    Args.push_back(passed(V, Marker));
  CallBase *Call;
  if (auto *II = dyn_cast<InvokeInst>(R.Begin); II && !Helper->doesNotThrow()) {
    Call = InvokeInst::Create(Callee, R.EndBlock, II->getUnwindDest(), Args, "", Marker);
    for (PHINode &Phi : II->getUnwindDest()->phis())
      Phi.addIncoming(Phi.getIncomingValueForBlock(II->getParent()), Marker);
  } else {
    Call = CallInst::Create(Callee, Args, "", Marker);
    BranchInst::Create(R.EndBlock, Marker)->setDebugLoc(R.Begin->getDebugLoc());
  }
  Call->setDebugLoc(R.Begin->getDebugLoc());
  if (Helper->doesNotThrow())
    Call->setDoesNotThrow();
  return Call;
}

bool Outliner::run() {
  copyByValueArguments();
  if (!collectInputs())
    return false;
  createHelper();
  passVectorsAlike(F, *Helper);
  finishHelper();
  describe();
  if ((R.IsLoop || R.IsCalled) &&
      (hasMarker(*Helper, Marker::Spawn) || hasMarker(*Helper, Marker::Loop)))
    Helper->addFnAttr(MigratesAttr);
  rewriteParent();
  return true;
}

namespace {

/// Removes the markers of a region that has nothing to spawn or never ends. It then runs in place.
void dissolve(Region &R) {
  if (R.End)
    R.End->eraseFromParent();
  if (R.Spawned)
    forgetSpawned(*R.Spawned);
  if (R.IsLoop)
    runLoopInPlace(*cast<LoopBeginMarker>(static_cast<CallBase *>(R.Begin)));
  eraseMarker(*R.Begin);
}

/// Gives a begin marker the location of its keyword, for messages and a debugger's steps. The
/// front-end gives it the start of the statement, since coverage needs increasing locations.
void standAtKeyword(AnyBeginMarker &Begin) {
  auto *Line = dyn_cast<ConstantInt>(Begin.line());
  auto *Column = dyn_cast<ConstantInt>(Begin.column());
  const DebugLoc &L = Begin.getDebugLoc();
  if (L && Line && Column && !Line->isZero())
    Begin.setDebugLoc(DILocation::get(Begin.getContext(), Line->getZExtValue(),
                                      Column->getZExtValue(), L.getScope(), L.getInlinedAt()));
}

void outlineFunction(Function &F) {
  PrettyStackTraceString Where("Nopal: outlining spawned statements");
  removeUnreachableBlocks(F);
  Region R;
  for (Regions All(F); All.next(R);) {
    standAtKeyword(*R.Begin);
    if (!R.End || (!R.IsBlock && !R.Spawned)) {
      remarkDissolved(*R.Begin, R.End ? "the call was evaluated by the compiler"
                                      : "control does not come to its end");
      dissolve(R);
      continue;
    }
    R.carve();
    if (any_of(R.Child,
               [](const BasicBlock *BB) { return isa<ReturnInst>(BB->getTerminator()); })) {
      refuse(F, Refusal::Return, R.Begin->getDebugLoc());
      return;
    }
    if (!Outliner(F, R).run()) {
      refuse(F, R.IsLoop ? Refusal::LoopValue : Refusal::SpawnValue, R.Begin->getDebugLoc());
      return;
    }
  }
  removeUnreachableBlocks(F);
}

/// Makes functions of sync regions that need a frame of their own, from the outermost in.
void outlineRegions(Function &F, SmallSetVector<Function *, 16> &Work) {
  PrettyStackTraceString Where("Nopal: outlining nested sync regions");
  Region R;
  while (findRegionToExtract(F, R)) {
    Outliner Out(F, R);
    const Value *Number = R.Begin->region();
    if (!Out.run()) {
      refuse(F, Refusal::RegionValue, R.Begin->getDebugLoc());
      break;
    }
    makeFunctionRegion(*Out.helper(), Number);
    Work.insert(Out.helper());
  }
  dissolveRegions(F);
}

/// Keeps a spawning function as it is, with its frame and syncs, until the split. The front-end has
/// put the implicit sync before the destructors of locals. This adds one more before each return,
/// so the split need not trust the front-end. It costs nothing, since a sync in a fast clone is no
/// code.
void markSpawner(Function &F) {
  F.addFnAttr(SpawnerAttr);
  // Calls of such a function are always replaced by its body, so perhaps no other module defines
  // it: C's inline functions, and members of templates that are instantiated in another module. If
  // its address is taken, there is a definition.
  if (F.hasAvailableExternallyLinkage() && F.hasFnAttribute(Attribute::AlwaysInline) &&
      !F.hasAddressTaken())
    F.setLinkage(GlobalValue::InternalLinkage);
  if (F.hasFnAttribute(Attribute::NoInline))
    F.addFnAttr(KeptOutOfLineAttr);
  F.removeFnAttr(Attribute::AlwaysInline);
  F.removeFnAttr(Attribute::InlineHint);
  F.addFnAttr(Attribute::NoInline);
  Constant *Own = ConstantInt::get(Type::getInt32Ty(F.getContext()), 0);
  for (BasicBlock &BB : F)
    if (auto *Ret = dyn_cast<ReturnInst>(BB.getTerminator()))
      SyncMarker::create(Ret->getIterator(), Own)->setDebugLoc(Ret->getDebugLoc());
}

/// Takes helpers of functions that may be inlined out of their COMDAT groups. Once a function is
/// inlined, its callers use its helpers (a loop's leaf, for example). The linker may keep another
/// module's group, which lacks them.
void leaveGroups(Module &M) {
  SmallPtrSet<const Comdat *, 8> Inlined;
  for (const Function &F : M)
    if (F.hasComdat() && !F.hasLocalLinkage() && !F.hasFnAttribute(SpawnerAttr))
      Inlined.insert(F.getComdat());
  for (Function &F : M)
    if (F.hasLocalLinkage() && F.hasFnAttribute(HelperAttr) && Inlined.contains(F.getComdat()))
      F.setComdat(nullptr);
}

/// Functions with `asm goto` stay out of those that spawn, where the split would refuse it.
void keepAsmGotoApart(Module &M) {
  for (Function &F : M)
    if (!F.hasFnAttribute(Attribute::AlwaysInline) && any_of(F, [](const BasicBlock &BB) {
          return isa_and_present<CallBrInst>(BB.getTerminator());
        }))
      F.addFnAttr(Attribute::NoInline);
}

} // namespace

/// The functions with spawned statements or loops, in the module's order.
static SmallSetVector<Function *, 16> functionsToOutline(Module &M) {
  SmallSetVector<Function *, 16> Result;
  for (CallBase *CB : callsOf(M, {Marker::Begin, Marker::BlockBegin, Marker::LoopBegin}))
    Result.insert(CB->getFunction());
  return Result;
}

/// Runs \p Stage on each of these functions.
static PreservedAnalyses onEach(Module &M, function_ref<void(Function &)> Stage) {
  const auto Functions = functionsToOutline(M);
  for (Function *F : Functions)
    Stage(*F);
  return Functions.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses PassThroughSyncsPass::run(Module &M, ModuleAnalysisManager &) {
  return lowerPassThroughSyncs(M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// The race detector has another view for each strand, so that a use of one beside a child is seen:
/// what is looked up before a spawn or a sync must not be looked up after it. So the calls read
/// what a spawn may write, and not their operands alone.
static void keepLookUpsBeforeSpawns(Module &M) {
  const auto Effects = MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref);
  for (StringRef Name : {nameOf(Marker::View), StringRef("nopal_view")})
    if (Function *LookUp = M.getFunction(Name)) {
      LookUp->setMemoryEffects(Effects);
      for (User *U : LookUp->users())
        if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == LookUp)
          Call->setMemoryEffects(Effects);
    }
}

/// `__nopal_views_end_cleanup(&range)` becomes `__nopal_views_end(range[0], range[1], range[2])`,
/// so that the variable which holds the three need not be in memory.
PreservedAnalyses ViewMarkersPass::run(Module &M, ModuleAnalysisManager &) {
  describe(M, {Marker::Strand, Marker::View});
  if (isChecked(M))
    keepLookUpsBeforeSpawns(M);
  SmallVector<CallBase *, 16> Cleanups = callsOf(M, {Marker::ViewsEndCleanup});
  for (CallBase *Call : Cleanups) {
    Value *Range = cast<ViewsEndCleanupMarker>(Call)->range();
    IRBuilder<> B(Call);
    auto Part = [&](unsigned I) {
      return B.CreateLoad(B.getInt64Ty(), B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Range, I));
    };
    Value *First = B.CreateIntToPtr(Part(0), B.getPtrTy());
    replaceMarker(*Call, Marker::ViewsEnd, {First, Part(1), Part(2)});
  }
  return Cleanups.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses CleanupMarkersPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = normalizeSyncs(M);
  Changed |= normalizeRegionEnds(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

#define NOPAL_OUTLINE_STAGE(NAME, CLASS, STAGE)                                                    \
  PreservedAnalyses CLASS::run(Module &M, ModuleAnalysisManager &) { return onEach(M, STAGE); }
#include "Passes.def"

PreservedAnalyses OutlineRegionsPass::run(Module &M, ModuleAnalysisManager &) {
  SmallSetVector<Function *, 16> WithRegions;
  for (CallBase *CB : callsOf(M, Marker::RegionBegin))
    WithRegions.insert(CB->getFunction());
  for (unsigned I = 0; I < WithRegions.size(); ++I)
    outlineRegions(*WithRegions[I], WithRegions);
  for (CallBase *CB : callsOf(M, {Marker::Outer, Marker::Literal}))
    eraseMarker(*CB);
  return PreservedAnalyses::none();
}

PreservedAnalyses MarkSpawnersPass::run(Module &M, ModuleAnalysisManager &) {
  // A function whose spawns are all unreachable may be inlined into a spawner. Its syncs must not
  // wait for the spawner's children.
  for (Function *F : callersOf(M, {Marker::Sync, Marker::SyncInFlight}))
    if (!hasMarker(*F, Marker::Spawn))
      eraseSyncs(*F);
  for (Function *F : callersOf(M, Marker::Spawn))
    if (!F->hasFnAttribute(SpawnerAttr))
      markSpawner(*F);
  if (!callersOf(M, Marker::Spawn).empty())
    keepAsmGotoApart(M);
  keepRegionsApart(M);
  leaveGroups(M);
  return PreservedAnalyses::none();
}

PreservedAnalyses MarkThreadBoundPass::run(Module &M, ModuleAnalysisManager &AM) {
  if (isSerial(M) || callsOf(M, {Marker::Spawn, Marker::Loop}).empty() || !markThreadBoundReads(M))
    return PreservedAnalyses::all();
  FunctionAnalysisManager &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  FAM.clear(); // the functions have changed
  Migration(M, FAM).mark(M);
  return PreservedAnalyses::none();
}

void outline::addPasses(ModulePassManager &MPM) {
#define NOPAL_OUTLINE_PASS(NAME, CLASS) MPM.addPass(CLASS());
#include "Passes.def"
}

bool outline::parsePass(StringRef Name, ModulePassManager &MPM, PassBuilder &PB) {
  if (Name == "nopal-outline")
    return addPasses(MPM), true;
  if (Name == "nopal-stack-probes")
    return MPM.addPass(StackProbesPass()), true;
  if (Name == "nopal-loop-operands")
    return MPM.addPass(LoopOperandsPass(PB.buildFunctionSimplificationPipeline(
               OptimizationLevel::O2, ThinOrFullLTOPhase::None))),
           true;
#define NOPAL_OUTLINE_PASS(NAME, CLASS)                                                            \
  if (Name == NAME)                                                                                \
    return MPM.addPass(CLASS()), true;
#include "Passes.def"
  return false;
}

void outline::registerNames(PassBuilder &PB) {
  PassInstrumentationCallbacks *PIC = PB.getPassInstrumentationCallbacks();
  if (!PIC)
    return;
  PIC->addClassToPassName(StackProbesPass::name(), "nopal-stack-probes");
  PIC->addClassToPassName(LoopOperandsPass::name(), "nopal-loop-operands");
#define NOPAL_OUTLINE_PASS(NAME, CLASS) PIC->addClassToPassName(CLASS::name(), NAME);
#include "Passes.def"
}
