//===- Split.cpp - The late pass: fast and slow clones --------------------===//
//
// See Split.h.
//
//===----------------------------------------------------------------------===//
#include "Split.h"

#include "../markers/Markers.h"
#include "../outline/Outline.h"
#include "Clones.h"
#include "EarlyExit.h"
#include "LoopTree.h"
#include "Migration.h"
#include "Points.h"
#include "Runtime.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;

/// The functions that call \p Name, in the module's order.
static SmallSetVector<Function *, 16> callersOf(Module &M, StringRef Name) {
  SmallSetVector<Function *, 16> Callers, Ordered;
  if (Function *Callee = M.getFunction(Name))
    for (User *U : Callee->users())
      if (auto *CB = dyn_cast<CallBase>(U))
        Callers.insert(CB->getFunction());
  for (Function &F : M)
    if (Callers.contains(&F))
      Ordered.insert(&F);
  return Ordered;
}

/// Syncs without a spawn in their function wait for nothing.
static void eraseIdleSyncs(Module &M) {
  for (const char *Name : {marker::Sync, marker::SyncInFlight})
    if (Function *Sync = M.getFunction(Name))
      for (User *U : make_early_inc_range(Sync->users()))
        if (auto *CB = dyn_cast<CallBase>(U)) {
          Function *F = CB->getFunction();
          eraseMarker(*CB);
          removeUnreachableBlocks(*F);
        }
}

/// Inlines a helper into the fast clone. Its lines are lines of the spawning
/// function, so they get that function's scope again.
static void inlineHelper(CallBase &Call) {
  Function &F = *Call.getFunction();
  Function &Helper = *Call.getCalledFunction();
  DISubprogram *Inlined = Helper.getSubprogram();
  const DebugLoc CallLoc = Call.getDebugLoc();
  InlineFunctionInfo IFI;
  if (!InlineFunction(Call, IFI).isSuccess() || !Inlined || !CallLoc)
    return;
  for (Instruction &I : instructions(F))
    if (const DebugLoc &L = I.getDebugLoc();
        L && L->getScope()->getSubprogram() == Inlined)
      I.setDebugLoc(DILocation::get(F.getContext(), L.getLine(), L.getCol(),
                                    CallLoc->getScope(),
                                    CallLoc->getInlinedAt()));
}

static void tidy(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager FPM;
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FPM.run(F, FAM);
}

PreservedAnalyses SplitPass::run(Module &M, ModuleAnalysisManager &AM) {
  Runtime RT(M);
  lowerLoops(M, RT);
  SmallSetVector<Function *, 16> Spawners = callersOf(M, marker::Spawn);
  if (Spawners.empty()) {
    eraseIdleSyncs(M);
    return PreservedAnalyses::none();
  }
  takeEarlyExits(Spawners.getArrayRef());
  FunctionAnalysisManager &FAM =
      AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  const Migration Calls(M, FAM);
  for (Function &F : M)
    if (!F.isDeclaration())
      recomputeBehindCalls(F, Calls, RT);
  SmallVector<WeakTrackingVH, 16> HelperCalls;
  SmallVector<Function *, 16> Clones;
  for (Function *F : Spawners)
    if (Function *Slow = splitFunction(*F, RT, HelperCalls))
      Clones.append({F, Slow});
  eraseIdleSyncs(M);
  for (WeakTrackingVH &Call : HelperCalls)
    if (auto *CB = dyn_cast_or_null<CallBase>(static_cast<Value *>(Call)))
      inlineHelper(*CB);
  if (!RT.linkFastPath())
    return PreservedAnalyses::none();
  RT.inlineFastPath();
  RT.emitRegistration();
  for (Function *F : Clones)
    tidy(*F, FAM);
  for (Function &F : make_early_inc_range(M))
    if (F.hasFnAttribute(HelperAttr) && F.hasLocalLinkage() && F.use_empty())
      F.eraseFromParent();
  for (const char *Name :
       {marker::Begin, marker::BlockBegin, marker::RegionBegin, marker::RegionEnd,
        marker::RegionEndCleanup, marker::End, marker::Made,
        marker::LoopBegin, marker::LoopLow, marker::LoopHigh, marker::LoopEnd,
        marker::Sync, marker::SyncInFlight,
        marker::SyncCleanup, marker::Spawn, marker::Private})
    if (Function *F = M.getFunction(Name); F && F->use_empty())
      F->eraseFromParent();
  return PreservedAnalyses::none();
}

PreservedAnalyses FramePrinterPass::run(Module &M, ModuleAnalysisManager &) {
  std::unique_ptr<Module> Copy = CloneModule(M); // Laying a frame out changes its function.
  SmallSetVector<Function *, 16> Spawners = callersOf(*Copy, marker::Spawn);
  if (Spawners.empty())
    return PreservedAnalyses::all();
  takeEarlyExits(Spawners.getArrayRef());
  Runtime RT(*Copy);
  SmallVector<WeakTrackingVH, 16> HelperCalls;
  for (Function *F : Spawners)
    splitFunction(*F, RT, HelperCalls, &OS);
  return PreservedAnalyses::all();
}
