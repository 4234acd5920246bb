//===- Plugin.cpp - Entry point of the pass side of the plugin ------------===//
//
// Clang opens NopalPlugin.so for -fpass-plugin and asks for the passes here. The
// front-end registers itself by a static object (frontend/Action.cpp) in the
// same shared object. With -fplugin= as well, this is called twice: the second
// registration finds nothing left to do, since all passes are idempotent.
//
//===----------------------------------------------------------------------===//
#include "analysis/ThreadBound.h"
#include "outline/LoopOperands.h"
#include "outline/Passes.h"
#include "outline/StackProbes.h"
#include "split/FrameBytes.h"
#include "split/Split.h"
#include "split/SmallLoops.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;

static void registerPasses(PassBuilder &PB) {
  nopal::outline::registerNames(PB);
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(nopal::ForgetFrameBytesPass());
        MPM.addPass(nopal::outline::StackProbesPass());
        nopal::outline::addPasses(MPM);
      });
  PB.registerCGSCCOptimizerLateEPCallback(
      [](CGSCCPassManager &PM, OptimizationLevel) {
        PM.addPass(createCGSCCToFunctionPassAdaptor(nopal::ThreadBoundPass()));
      });
  PB.registerOptimizerEarlyEPCallback(
      [&PB](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase Phase) {
        if (Level == OptimizationLevel::O0)
          return;
        MPM.addPass(nopal::outline::LoopOperandsPass(
            PB.buildFunctionSimplificationPipeline(Level, Phase)));
        MPM.addPass(nopal::SmallLoopsPass(
            PB.buildFunctionSimplificationPipeline(Level, Phase)));
      });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase Phase) {
        MPM.addPass(nopal::SplitPass(
            /*IsFinal=*/Phase == ThinOrFullLTOPhase::None));
      });
  PB.registerPipelineParsingCallback(
      [&PB](StringRef Name, ModulePassManager &MPM,
            ArrayRef<PassBuilder::PipelineElement>) {
        if (nopal::outline::parsePass(Name, MPM, PB))
          return true;
        if (Name == "nopal-split") {
          MPM.addPass(nopal::SplitPass(/*IsFinal=*/true));
          return true;
        }
        if (Name == "print<nopal-frame>") {
          MPM.addPass(nopal::FramePrinterPass(errs()));
          return true;
        }
        return false;
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "nopal-thread-bound")
          return false;
        FPM.addPass(nopal::ThreadBoundPass());
        return true;
      });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Nopal", "1", registerPasses};
}
