//===- Passes.h - The early passes: spawned children become helpers -*- C++ -*-===//
//
// They run at the start of the pipeline, on the IR as Clang emits it. Together they move the child
// part of each spawned statement into a helper function, and leave a call of the marker
// __nopal_spawn(helper, operands...) in its place. Passes.def lists the stages. Used by the
// plugin's entry point. Invariants: README.md in this folder. Tests: tests/pass/outline-*.ll,
// *.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_PASSES_H
#define NOPAL_OUTLINE_PASSES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
}

namespace nopal::outline {

#define NOPAL_OUTLINE_PASS(NAME, CLASS)                                                            \
  struct CLASS : llvm::PassInfoMixin<CLASS> {                                                      \
    llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);                 \
    static bool isRequired() { return true; }                                                      \
  };
#include "Passes.def"

/// Adds all stages, in their order.
void addPasses(llvm::ModulePassManager &MPM);
/// Adds the stage \p Name of a textual pipeline, or all stages for `nopal-outline`. False for any
/// other name.
bool parsePass(llvm::StringRef Name, llvm::ModulePassManager &MPM, llvm::PassBuilder &PB);
/// Registers the names in \p PB, for -print-pipeline-passes and -print-changed.
void registerNames(llvm::PassBuilder &PB);

} // namespace nopal::outline

#endif
