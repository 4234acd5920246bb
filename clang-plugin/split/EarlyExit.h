//===- EarlyExit.h - Children that return at once need no spawn -*- C++ -*-===//
//
// Before the split: where a spawner calls or spawns a function whose first test may end it at once
// (fib's `if (n < 2) return n;`), that test is done in place, and the rest only if it says so.
// Invariants: README.md in this folder, "Early exits"; why: docs/decisions. Used by
// Pipeline.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_EARLYEXIT_H
#define NOPAL_SPLIT_EARLYEXIT_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// Rewrites the spawns and the calls in spawners whose callees have early exits. A
/// function may lose its last spawn here.
class EarlyExitsPass : public analysis::NamedPass<EarlyExitsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-early-exits";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::split

#endif
