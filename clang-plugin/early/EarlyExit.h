//===- EarlyExit.h - Children that return at once need no spawn -*- C++ -*-===//
//
// Some functions may return after their first test, like fib with `if (n < 2) return n;`. Where a
// spawner calls or spawns such a function, this pass puts the test before the call or spawn. A
// return on that path then costs no spawn. Invariants: README.md in this folder, "Early exits";
// why: docs/decisions/0009. Used by Pipeline.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_EARLY_EARLYEXIT_H
#define NOPAL_EARLY_EARLYEXIT_H

#include "../analysis/NamedPass.h"

namespace nopal::early {

/// Rewrites the spawns and the calls in spawners whose callees have early exits. A
/// function may lose its last spawn here.
class EarlyExitsPass : public analysis::NamedPass<EarlyExitsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-early-exits";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::early

#endif
