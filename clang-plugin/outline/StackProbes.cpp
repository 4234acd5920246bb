//===- StackProbes.cpp - Large frames cannot jump over a guard zone -------===//
//
// See StackProbes.h.
//
//===----------------------------------------------------------------------===//
#include "StackProbes.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::outline;

PreservedAnalyses StackProbesPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute("probe-stack"))
      F.addFnAttr("probe-stack", "inline-asm");
  return PreservedAnalyses::all(); // only code generation reads the attribute
}
