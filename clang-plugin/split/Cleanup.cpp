//===- Cleanup.cpp - The last passes of the split -------------------------===//
//
// See Cleanup.h.
//
//===----------------------------------------------------------------------===//
#include "Cleanup.h"

#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "Clones.h"
#include "DebugValues.h"
#include "FastPath.h"
#include "Marks.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

PreservedAnalyses LowerIdleMarkersPass::run(Module &M, ModuleAnalysisManager &) {
  SmallSetVector<Function *, 16> Changed;
  for (CallBase *CB : callsOf(M, {Marker::Sync, Marker::SyncInFlight})) {
    Changed.insert(CB->getFunction());
    eraseMarker(*CB);
  }
  for (Function *F : Changed) // last: a sync may stand in a block that nobody reaches
    removeUnreachableBlocks(*F);
  return lowerIdlePrivates(M) || !Changed.empty() ? PreservedAnalyses::none()
                                                  : PreservedAnalyses::all();
}

PreservedAnalyses TidyPass::run(Module &M, ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  FunctionPassManager FPM;
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  bool Changed = false;
  for (Function &F : M)
    if (mark::isClone(F)) {
      FPM.run(F, FAM);
      Changed = true;
    }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses FinishHelpersPass::run(Module &M, ModuleAnalysisManager &) {
  if (none_of(M, mark::isClone))
    return PreservedAnalyses::all(); // or they are finished
  for (Function &F : make_early_inc_range(M))
    if (F.hasFnAttribute(HelperAttr) && F.hasLocalLinkage() && F.use_empty())
      F.eraseFromParent();
  for (Function &F : M)
    if (F.hasFnAttribute(HelperAttr) && !F.isDeclaration())
      keepArguments(F);
  keepFastPathOutOfLine(M);
  return PreservedAnalyses::none();
}

PreservedAnalyses EraseMarksPass::run(Module &M, ModuleAnalysisManager &) {
  eraseMarkerDeclarations(M);
  for (Function &F : M) {
    if (!mark::isClone(F) && !F.hasFnAttribute(mark::FastPath))
      continue;
    F.removeFnAttr(mark::Clone);
    F.removeFnAttr(mark::FastPath);
    for (Instruction &I : instructions(F))
      for (const char *Kind : {mark::Child, mark::Frame})
        I.setMetadata(Kind, nullptr);
  }
  for (GlobalVariable &G : M.globals())
    G.setMetadata(mark::FastClone, nullptr);
  return PreservedAnalyses::all(); // of functions
}
