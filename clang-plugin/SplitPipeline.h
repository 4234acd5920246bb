//===- SplitPipeline.h - From markers to two clones ------------*- C++ -*-===//
//
// The passes of the split, in their order. They run at the end of clang's pipeline, at -O0 too.
// What one pass tells a later one stands in the IR (split/Marks.h). split/README.md says what each
// one does and which are optional. Tests: tests/pass/pipeline-*, tests/pass/split-*.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLITPIPELINE_H
#define NOPAL_SPLITPIPELINE_H

#include "analysis/NamedPass.h"

namespace nopal::split {

/// \p IsFinal: code generation comes next. If not (before link-time optimization),
/// functions may still be inlined, so no site gets a bound of its frame.
void addPasses(llvm::ModulePassManager &MPM, bool IsFinal);

/// Adds the pass \p Name of split/ or early/; "nopal-split" is all of them. False if no
/// pass is called so.
bool parsePass(llvm::StringRef Name, llvm::ModulePassManager &MPM);

/// Registers the names of the passes for LLVM's options.
void registerNames(llvm::PassInstrumentationCallbacks &PIC);

/// Prints the layout of each spawner's frame and changes nothing: runs the passes on a copy of the
/// module, up to the frame. opt -passes='print<nopal-frame>'. Tests: tests/pass/print-frame*.ll.
class FramePrinterPass : public analysis::RequiredPass<FramePrinterPass> {
public:
  static constexpr llvm::StringLiteral Name = "print<nopal-frame>";
  explicit FramePrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);

private:
  llvm::raw_ostream &OS;
};

} // namespace nopal::split

#endif
