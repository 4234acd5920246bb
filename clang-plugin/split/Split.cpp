//===- Split.cpp - The late pass: fast and slow clones --------------------===//
//
// See Split.h.
//
//===----------------------------------------------------------------------===//
#include "Split.h"

#include "../contract/Target.h"
#include "../contract/Refusal.h"
#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "Clones.h"
#include "DebugValues.h"
#include "EarlyExit.h"
#include "InlineHelper.h"
#include "LoopTree.h"
#include "SuspendPoints.h"
#include "Prediction.h"
#include "Runtime.h"
#include "ThreadBoundLowering.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;

/// Of a child, in instructions; some ten nanoseconds, of which a call is a small part.
static constexpr unsigned MostInSlowLoop = 32;

/// Of landing pads whose exceptions meet in a register.
static constexpr unsigned MostInRegister = 64;

/// Syncs without a spawn in their function wait for nothing. Blocks that nobody
/// reaches go last: a sync may stand in one.
static void eraseIdleSyncs(Module &M) {
  SmallSetVector<Function *, 16> Changed;
  for (CallBase *CB : callsOf(M, {Marker::Sync, Marker::SyncInFlight})) {
    Changed.insert(CB->getFunction());
    eraseMarker(*CB);
  }
  for (Function *F : Changed)
    removeUnreachableBlocks(*F);
}

/// Landing pads hand their exceptions on through memory where hundreds meet. As a
/// value they would be one register with a definition at each, and the code generator
/// looks at all of them for each of them.
static void demoteWidePads(Function &F) {
  SmallVector<PHINode *, 4> Wide;
  LLVMContext &C = F.getContext();
  Type *Exception = StructType::get(PointerType::getUnqual(C), Type::getInt32Ty(C));
  for (BasicBlock &BB : F)
    for (PHINode &Phi : BB.phis())
      if (Phi.getType() == Exception && Phi.getNumIncomingValues() > MostInRegister)
        Wide.push_back(&Phi);
  for (PHINode *Phi : Wide)
    DemotePHIToStack(Phi);
}

static void tidy(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager FPM;
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FPM.run(F, FAM);
  demoteWidePads(F);
}

/// Adds the blocks of \p Slow that are part of a loop, which may have several
/// entries, to \p InLoops.
static void findLoops(const Function &Slow,
                      SmallPtrSetImpl<const BasicBlock *> &InLoops) {
  for (auto Part = scc_begin(&Slow); !Part.isAtEnd(); ++Part)
    if (Part.hasCycle())
      InLoops.insert_range(*Part);
}

/// Whether a slow clone is worth a body of its own of the child that \p Call calls
/// in a loop: what is left of the loop behind a theft runs there, and a small child
/// takes about as long as its call.
static bool isWorthBodyInSlow(const CallBase &Call) {
  const Function &Slow = *Call.getFunction();
  return !Slow.hasOptSize() && !Slow.hasOptNone() &&
         Call.getCalledFunction()->getInstructionCount() <= MostInSlowLoop;
}

PreservedAnalyses SplitPass::run(Module &M, ModuleAnalysisManager &AM) {
  Runtime RT(M);
  lowerLoops(M, RT);
  SmallSetVector<Function *, 16> Spawners = callersOf(M, Marker::Spawn);
  if (!Spawners.empty() && !isSupportedTarget(M.getTargetTriple())) {
    refuse(M, Refusal::Target, M.getTargetTriple().str(), fastPathTargets());
    return PreservedAnalyses::none();
  }
  takeEarlyExits(Spawners.getArrayRef());
  Spawners = callersOf(M, Marker::Spawn);
  FunctionAnalysisManager &FAM =
      AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  if (!Spawners.empty() || declarationOf(M, Marker::ThreadBound)) {
    const Migration Calls(M, FAM);
    for (Function &F : M)
      if (!F.isDeclaration())
        lowerThreadBoundReads(F, Calls, RT);
  }
  eraseThreadBoundMarkers(M);
  if (Spawners.empty()) {
    eraseIdleSyncs(M);
    lowerIdlePrivates(M);
    return PreservedAnalyses::none();
  }
  SmallVector<WeakTrackingVH, 16> HelperCalls;
  SmallVector<Function *, 16> Clones;
  SmallPtrSet<const Function *, 16> SlowClones;
  for (Function *F : Spawners)
    if (Function *Slow = splitFunction(*F, RT, HelperCalls)) {
      Clones.append({F, Slow});
      SlowClones.insert(Slow);
    }
  eraseIdleSyncs(M);
  lowerIdlePrivates(M);
  SmallPtrSet<const BasicBlock *, 32> InSlowLoops;
  for (const Function *Slow : SlowClones) // any order: fills a set
    findLoops(*Slow, InSlowLoops);
  // Where a slow clone spends time it has the fast path in line.
  for (EntryPoint Name : std::initializer_list<EntryPoint>{"nopal_fast_push", "nopal_fast_pop"})
    for (User *U : RT.entry(Name).getCallee()->users())
      if (auto *CB = cast<CallBase>(U); InSlowLoops.contains(CB->getParent()))
        CB->removeFnAttr(Attribute::NoInline);
  MapVector<Function *, SmallVector<CallBase *, 8>> InFast;
  for (WeakTrackingVH &Call : HelperCalls) {
    auto *CB = dyn_cast_or_null<CallBase>(static_cast<Value *>(Call));
    if (!CB)
      continue;
    if (!SlowClones.contains(CB->getFunction())) {
      InFast[CB->getFunction()].push_back(CB);
    } else if (InSlowLoops.contains(CB->getParent()) && isWorthBodyInSlow(*CB)) {
      InlineFunctionInfo IFI;
      InlineFunction(*CB, IFI, /*MergeAttributes=*/true); // for a debugger a function of its own, as before
    }
  }
  for (auto &[F, Calls] : InFast)
    inlineHelpers(Calls);
  if (!RT.linkFastPath())
    return PreservedAnalyses::none();
  RT.inlineFastPath();
  RT.emitRegistration();
  for (Function *F : Clones) {
    tidy(*F, FAM);
    carryPrediction(*F);
  }
  for (Function &F : make_early_inc_range(M))
    if (F.hasFnAttribute(HelperAttr) && F.hasLocalLinkage() && F.use_empty())
      F.eraseFromParent();
  for (Function &F : M)
    if (F.hasFnAttribute(HelperAttr) && !F.isDeclaration())
      keepArguments(F);
  if (IsFinal)
    RT.boundFrames();
  eraseMarkerDeclarations(M);
  return PreservedAnalyses::none();
}

PreservedAnalyses FramePrinterPass::run(Module &M, ModuleAnalysisManager &) {
  std::unique_ptr<Module> Copy = CloneModule(M); // Laying a frame out changes its function.
  Runtime RT(*Copy);
  lowerLoops(*Copy, RT);
  SmallSetVector<Function *, 16> Spawners = callersOf(*Copy, Marker::Spawn);
  takeEarlyExits(Spawners.getArrayRef());
  Spawners = callersOf(*Copy, Marker::Spawn);
  SmallVector<WeakTrackingVH, 16> HelperCalls;
  for (Function *F : Spawners)
    splitFunction(*F, RT, HelperCalls, &OS);
  return PreservedAnalyses::all();
}
