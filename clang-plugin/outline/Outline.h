//===- Outline.h - The early pass: spawned children become helpers --------===//
//
// Runs at the start of the pipeline, on the IR as Clang emits it. Moves the
// child part of each spawned statement into a helper function and leaves a call
// of the opaque marker __nopal_spawn(helper, operands...) in its place.
// Invariants: README.md in this folder. Tests: tests/pass/outline-*.ll, *.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_OUTLINE_H
#define NOPAL_OUTLINE_OUTLINE_H

#include "../contract/Attributes.h"
#include "llvm/IR/PassManager.h"

namespace nopal {

class OutlinePass : public llvm::PassInfoMixin<OutlinePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace nopal

#endif
