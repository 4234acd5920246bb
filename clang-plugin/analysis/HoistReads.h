//===- HoistReads.h - Reads of the thread move out of loops ----*- C++ -*-===//
//
// For versions of LLVM whose LICM does not (contract/Compatibility.h). Tests:
// tests/pass/hoist-reads.ll, tests/hyper/leaf.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_ANALYSIS_HOISTREADS_H
#define NOPAL_ANALYSIS_HOISTREADS_H

#include "NamedPass.h"

namespace nopal::analysis {

/// `__nopal_strand` and `__nopal_thread_bound` read memory that no store can name, so a loop that
/// only stores does not change what they return. LLVM 19 takes each store for a change.
///
///   loop: %s = call @__nopal_strand()            %s = call @__nopal_strand()
///         store ...                        =>    loop: store ...
class HoistReadsPass : public NamedPass<HoistReadsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-hoist-reads";
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);
};

} // namespace nopal::analysis

#endif
