//===- Split.cpp - The late pass: fast and slow clones --------------------===//
//
// See Split.h.
//
//===----------------------------------------------------------------------===//
#include "Split.h"

#include "../markers/Markers.h"
#include "../outline/DebugInfo.h"
#include "../outline/Outline.h"
#include "Clones.h"
#include "DebugValues.h"
#include "EarlyExit.h"
#include "LoopTree.h"
#include "Migration.h"
#include "Points.h"
#include "Runtime.h"
#include "ThreadBound.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include <functional>

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
/// function, so they get that function's scopes again, and what it declared for
/// itself becomes a variable of that function.
static void inlineHelper(CallBase &Call) {
  Function &F = *Call.getFunction();
  Function &Helper = *Call.getCalledFunction();
  DISubprogram *Inlined = Helper.getSubprogram();
  const DebugLoc CallLoc = Call.getDebugLoc();
  DenseMap<const Metadata *, Metadata *> Origins;
  if (MDNode *Pairs = Helper.getMetadata(ScopeOrigins))
    for (unsigned I = 0; I + 1 < Pairs->getNumOperands(); I += 2)
      Origins[Pairs->getOperand(I)] = Pairs->getOperand(I + 1);
  SmallPtrSet<const DILocalVariable *, 16> Known;
  for (Instruction &I : instructions(F))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
      Known.insert(Record.getVariable());
  InlineFunctionInfo IFI;
  if (!InlineFunction(Call, IFI).isSuccess() || !Inlined || !CallLoc)
    return;
  LLVMContext &C = F.getContext();
  auto IsOfCaller = [&](const DILocalScope *Scope) {
    return Scope->getSubprogram() == CallLoc->getScope()->getSubprogram();
  };
  std::function<DILocation *(DILocation *)> Restore = [&](DILocation *L) {
    if (L->getScope()->getSubprogram() == Inlined) {
      auto *Scope = cast_or_null<DILocalScope>(Origins.lookup(L->getScope()));
      // (In a child of a child the originals are of neither.)
      if (!Scope || isa<DISubprogram>(Scope) || !IsOfCaller(Scope))
        Scope = CallLoc->getScope();
      return DILocation::get(C, L->getLine(), L->getColumn(), Scope,
                             CallLoc->getInlinedAt());
    }
    DILocation *At = L->getInlinedAt();
    DILocation *Now = At ? Restore(At) : nullptr;
    if (Now == At)
      return L;
    return DILocation::get(C, L->getLine(), L->getColumn(), L->getScope(), Now,
                           L->isImplicitCode());
  };
  for (Instruction &I : instructions(F)) {
    for (DbgRecord &R : make_early_inc_range(I.getDbgRecordRange())) {
      const bool IsOwn = R.getDebugLoc()->getScope()->getSubprogram() == Inlined;
      R.setDebugLoc(Restore(R.getDebugLoc()));
      auto *Variable = dyn_cast<DbgVariableRecord>(&R);
      if (!Variable || !IsOwn)
        continue;
      auto *Origin = cast_or_null<DILocalVariable>(
          Origins.lookup(Variable->getVariable()));
      if (!Origin || Known.contains(Origin) || !IsOfCaller(Origin->getScope()))
        R.eraseFromParent(); // the parent describes it
      else
        Variable->setVariable(Origin);
    }
    if (const DebugLoc &L = I.getDebugLoc())
      I.setDebugLoc(Restore(L));
  }
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
  takeEarlyExits(Spawners.getArrayRef());
  FunctionAnalysisManager &FAM =
      AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  if (!Spawners.empty() || M.getFunction(marker::ThreadBound)) {
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
  for (Function *F : Spawners)
    if (Function *Slow = splitFunction(*F, RT, HelperCalls))
      Clones.append({F, Slow});
  eraseIdleSyncs(M);
  lowerIdlePrivates(M);
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
  for (Function &F : M)
    if (F.hasFnAttribute(HelperAttr) && !F.isDeclaration())
      keepArguments(F);
  if (IsFinal)
    RT.boundFrames();
  for (const char *Name :
       {marker::Begin, marker::BlockBegin, marker::RegionBegin, marker::RegionEnd,
        marker::RegionEndCleanup, marker::End, marker::Made,
        marker::TryBegin, marker::TryBody, marker::SyncOutside,
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
