//===- StackProbes.h - Large frames cannot jump over a guard zone -*- C++ -*-===//
//
// Any function may run on a stack segment. Its first write must not lie beyond the segment's guard
// zone, in a neighbour's memory. So each function that this plugin compiles probes its frame a page
// at a time, as with -fstack-clash-protection. A frame below 4 KiB needs no code for that. Used by
// the plugin's entry point. Tests: tests/pass/stack-probes.ll, tests/install/routes_test.py.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_STACKPROBES_H
#define NOPAL_OUTLINE_STACKPROBES_H

#include "llvm/IR/PassManager.h"

namespace nopal::outline {

/// Runs at the start of a pipeline. A function that has probes of another kind keeps them.
class StackProbesPass : public llvm::PassInfoMixin<StackProbesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace nopal::outline

#endif
