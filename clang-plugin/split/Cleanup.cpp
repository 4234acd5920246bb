//===- Cleanup.cpp - The last passes of the split -------------------------===//
//
// See Cleanup.h.
//
//===----------------------------------------------------------------------===//
#include "Cleanup.h"

#include "../compatibility/Compatibility.h"
#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "DebugValues.h"
#include "FastPath.h"
#include "Marks.h"
#include "Privates.h"
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
    return PreservedAnalyses::all(); // none to finish, or done before
  for (Function &F : make_early_inc_range(M))
    if (F.hasFnAttribute(HelperAttr) && F.hasLocalLinkage() && F.use_empty())
      F.eraseFromParent();
  for (Function &F : M)
    if (F.hasFnAttribute(HelperAttr) && !F.isDeclaration())
      keepArguments(F);
  keepFastPathOutOfLine(M);
  return PreservedAnalyses::none();
}

/// Functions that the passes made of none sign return addresses and mark their entry as the module
/// says (AArch64: -mbranch-protection), with the attributes that clang gives each of its own.
static void protectBranches(Module &M) {
  constexpr StringLiteral Scope = "sign-return-address";
  constexpr StringLiteral Key = "sign-return-address-key";
  auto IsOn = [&M](StringRef Flag) {
    const auto *Value = mdconst::extract_or_null<ConstantInt>(M.getModuleFlag(Flag));
    return Value && !Value->isZero();
  };
  if (!compat::targetOf(M).isAArch64())
    return;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (IsOn(Scope) && !F.hasFnAttribute(Scope)) {
      F.addFnAttr(Scope, IsOn("sign-return-address-all") ? "all" : "non-leaf");
      F.addFnAttr(Key, IsOn("sign-return-address-with-bkey") ? "b_key" : "a_key");
    }
    for (StringRef Flag :
         {"branch-target-enforcement", "branch-protection-pauth-lr", "guarded-control-stack"})
      if (IsOn(Flag) && !F.hasFnAttribute(Flag))
        F.addFnAttr(Flag);
  }
}

PreservedAnalyses EraseMarksPass::run(Module &M, ModuleAnalysisManager &) {
  protectBranches(M);
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
  return PreservedAnalyses::all(); // changes no function
}
