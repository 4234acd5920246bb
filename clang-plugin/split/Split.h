//===- Split.h - The late pass: fast and slow clones -----------*- C++ -*-===//
//
// Runs at the end of the pipeline, at -O0 too. Every function with spawn markers
// becomes a fast clone (its own name, type and ABI) and a slow clone (entered by
// thieves). Order of work, one file each: SuspendPoints (normalise), LiveAcross (analyse),
// Frame (lay out), Clones (change), Runtime (fast path and sites). Invariants:
// README.md in this folder. Tests: tests/pass/split-*.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_SPLIT_H
#define NOPAL_SPLIT_SPLIT_H

#include "llvm/IR/PassManager.h"

namespace nopal {

class SplitPass : public llvm::PassInfoMixin<SplitPass> {
public:
  /// \p IsFinal: code generation comes next, no inlining any more; else (before a
  /// link-time optimization) no site says how far its function's frame reaches.
  explicit SplitPass(bool IsFinal) : IsFinal(IsFinal) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  bool IsFinal;
};

/// Prints the layout of each spawner's frame, as SplitPass would make it here, and
/// changes nothing: opt -passes='print<nopal-frame>'. Tests: tests/pass/print-frame.ll.
class FramePrinterPass : public llvm::PassInfoMixin<FramePrinterPass> {
public:
  explicit FramePrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace nopal

#endif
