//===- SplitPipeline.cpp - From markers to two clones ---------------------===//
//
// See SplitPipeline.h.
//
//===----------------------------------------------------------------------===//
#include "SplitPipeline.h"

#include "early/EarlyExit.h"
#include "early/EarlyReturns.h"
#include "early/EarlyTails.h"
#include "split/Cleanup.h"
#include "split/Clones.h"
#include "split/FastPath.h"
#include "split/FrameBytes.h"
#include "split/InlineHelper.h"
#include "split/LoopTree.h"
#include "split/MergePads.h"
#include "split/Sites.h"
#include "split/SmallLoops.h"
#include "split/ThreadBoundLowering.h"
#include "split/Views.h"
#include "split/WorkerInRegister.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::early;
using namespace nopal::split;

/// The passes before the split of functions, which decide what is in a frame.
static void addPassesBeforeSplit(ModulePassManager &MPM) {
  MPM.addPass(CallViewsPass());           // markers of views => calls
  MPM.addPass(SmallLoopTestsPass());      // optional
  MPM.addPass(LowerLoopsPass());          // __nopal_loop => functions that spawn halves
  MPM.addPass(EarlyExitsPass());          // optional
  MPM.addPass(ThreadBoundLoweringPass()); // __nopal_thread_bound => reads, or calls
  MPM.addPass(MergePadsPass());           // optional
}

void split::addPasses(ModulePassManager &MPM, bool IsFinal) {
  addPassesBeforeSplit(MPM);
  MPM.addPass(SplitFunctionsPass());   // each spawner => a fast and a slow clone
  MPM.addPass(LowerIdleMarkersPass()); // markers where nothing is spawned => nothing
  MPM.addPass(InlineHelpersPass());    // optional
  MPM.addPass(LinkFastPathPass());     // declarations of the fast path => its bitcode
  MPM.addPass(InlineFastPathPass());   // optional
  MPM.addPass(RegisterSitesPass());    // sites => a constructor that registers them
  MPM.addPass(TidyPass());             // optional
  MPM.addPass(EarlyTailsPass());       // optional
  MPM.addPass(LowerViewsPass());       // look-ups of views => code
  MPM.addPass(FinishHelpersPass());    // what is left of helpers and of the fast path
  if (IsFinal) {
    MPM.addPass(WorkerInRegisterPass()); // optional
    MPM.addPass(EarlyReturnsPass());     // optional
    MPM.addPass(BoundFramesPass());      // optional
  }
  MPM.addPass(EraseMarksPass()); // no marker, no mark is left
}

using Passes =
    PassList<CallViewsPass, SmallLoopTestsPass, LowerLoopsPass, EarlyExitsPass,
             ThreadBoundLoweringPass, MergePadsPass, SplitFunctionsPass, LowerIdleMarkersPass,
             InlineHelpersPass, LinkFastPathPass, InlineFastPathPass, RegisterSitesPass, TidyPass,
             EarlyTailsPass, LowerViewsPass, FinishHelpersPass, WorkerInRegisterPass,
             EarlyReturnsPass, BoundFramesPass, EraseMarksPass, ForgetFrameBytesPass>;

bool split::parsePass(StringRef Name, ModulePassManager &MPM) {
  if (Name == "nopal-split") {
    addPasses(MPM, /*IsFinal=*/true);
    return true;
  }
  if (Name == FramePrinterPass::Name) {
    MPM.addPass(FramePrinterPass(errs()));
    return true;
  }
  return Passes::add(Name, MPM);
}

void split::registerNames(PassInstrumentationCallbacks &PIC) {
  Passes::registerNames(PIC);
  PassList<FramePrinterPass, SmallLoopsPass>::registerNames(PIC);
}

PreservedAnalyses FramePrinterPass::run(Module &M, ModuleAnalysisManager &AM) {
  std::unique_ptr<Module> Copy = CloneModule(M); // laying a frame out changes its function
  ModulePassManager MPM;
  addPassesBeforeSplit(MPM);
  MPM.addPass(SplitFunctionsPass(&OS));
  MPM.run(*Copy, AM); // passes that the user has switched off are off here too
  AM.clear(*Copy, Copy->getName());
  return PreservedAnalyses::all();
}
