//===- Plugin.cpp - Entry point of the pass side of the plugin ------------===//
//
// Clang opens NopalPlugin.so for -fpass-plugin and asks for the passes here. The
// front-end registers itself by a static object (frontend/Action.cpp) in the
// same shared object. With -fplugin= as well, this is called twice: the second
// registration finds nothing left to do, since all passes are idempotent.
//
//===----------------------------------------------------------------------===//
#include "analysis/HoistReads.h"
#include "analysis/ThreadBound.h"
#include "compatibility/Compatibility.h"
#include "outline/LoopOperands.h"
#include "outline/Passes.h"
#include "outline/StackProbes.h"
#include "race/Instrument.h"
#include "serial/Lowering.h"
#include "span/TimeStrands.h"
#include "split/FrameBytes.h"
#include "split/SmallLoops.h"
#include "SplitPipeline.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace nopal;

/// Where each pass runs in clang's pipeline, at every level unless it says so.
static void extendPipeline(PassBuilder &PB) {
  // Before everything: the IR is as Clang emits it.
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) {
    MPM.addPass(serial::ChooseSerialPass());
    MPM.addPass(race::ChooseRacePass());
    MPM.addPass(span::ChooseSpanPass());
    MPM.addPass(split::ForgetFrameBytesPass());
    MPM.addPass(outline::StackProbesPass());
    outline::addPasses(MPM); // outline/Passes.def
  });
  // A function's callees have been inlined, and it is about to be optimized.
  PB.registerCGSCCOptimizerLateEPCallback([](CGSCCPassManager &PM, OptimizationLevel) {
    PM.addPass(createCGSCCToFunctionPassAdaptor(analysis::ThreadBoundPass()));
    if (!compat::HoistsReads)
      PM.addPass(createCGSCCToFunctionPassAdaptor(analysis::HoistReadsPass()));
  });
  // After all inlining, before vectorization. Optional.
  auto Early = [&PB](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase Phase) {
    if (Level == OptimizationLevel::O0)
      return;
    MPM.addPass(outline::LoopOperandsPass(PB.buildFunctionSimplificationPipeline(Level, Phase)));
    MPM.addPass(split::SmallLoopsPass(PB.buildFunctionSimplificationPipeline(Level, Phase)));
  };
  // After everything.
  auto Last = [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase Phase) {
    MPM.addPass(serial::LowerSeriallyPass()); // or, if it is not chosen,
    // SplitPipeline.cpp
    split::addPasses(MPM, /*IsFinal=*/Phase == ThinOrFullLTOPhase::None);
    MPM.addPass(race::InstrumentPass());  // of serial code
    MPM.addPass(span::TimeStrandsPass()); // the same
  };
  compat::registerOptimizerCallbacks(PB, Early, Last);
}

/// opt -passes=...
static void namePasses(PassBuilder &PB) {
  outline::registerNames(PB);
  if (PassInstrumentationCallbacks *PIC = PB.getPassInstrumentationCallbacks()) {
    serial::Passes::registerNames(*PIC);
    race::Passes::registerNames(*PIC);
    span::Passes::registerNames(*PIC);
    split::registerNames(*PIC);
  }
  PB.registerPipelineParsingCallback([&PB](StringRef Name, ModulePassManager &MPM,
                                           ArrayRef<PassBuilder::PipelineElement>) {
    if (Name == split::SmallLoopsPass::Name) {
      MPM.addPass(split::SmallLoopsPass(
          PB.buildFunctionSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None)));
      return true;
    }
    return outline::parsePass(Name, MPM, PB) || serial::Passes::add(Name, MPM) ||
           race::Passes::add(Name, MPM) || span::Passes::add(Name, MPM) ||
           split::parsePass(Name, MPM);
  });
  PB.registerPipelineParsingCallback([](StringRef Name, FunctionPassManager &FPM,
                                        ArrayRef<PassBuilder::PipelineElement>) {
    return analysis::PassList<analysis::ThreadBoundPass, analysis::HoistReadsPass>::add(Name, FPM);
  });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Nopal", "1", [](PassBuilder &PB) {
            extendPipeline(PB);
            namePasses(PB);
          }};
}
