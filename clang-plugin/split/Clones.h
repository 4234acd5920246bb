//===- Clones.h - Building the fast and the slow clone ---------*- C++ -*-===//
//
// Pictures: Clones.cpp. Invariants: README.md. Tests: tests/pass/split-*.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_CLONES_H
#define NOPAL_SPLIT_CLONES_H

#include "../analysis/NamedPass.h"
#include "llvm/IR/Function.h"

namespace llvm {
class raw_ostream;
}

namespace nopal::split {

/// Splits each function with spawn markers: it becomes the fast clone, and the slow clone is a new
/// function. A remark says so, or, if \p Layout is given, each frame's layout is printed to it. A
/// function that cannot be split gets an error.
class SplitFunctionsPass : public analysis::RequiredPass<SplitFunctionsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-split-functions";
  explicit SplitFunctionsPass(llvm::raw_ostream *Layout = nullptr) : Layout(Layout) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);

private:
  llvm::raw_ostream *Layout;
};

} // namespace nopal::split

#endif
