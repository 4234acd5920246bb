//===- TimeStrands.h - Which strands the clock is read for -----*- C++ -*-===//
//
// After the serial lowering, in modules that -mllvm -nopal-span chooses. Used by the
// plugin's entry point. Which strands, and what the library does with the others:
// runtime/span/README.md. Tests: tests/pass/span-*.ll, tests/span.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPAN_TIMESTRANDS_H
#define NOPAL_SPAN_TIMESTRANDS_H

#include "../analysis/NamedPass.h"

namespace nopal::span {

/// At the start of the pipeline: with -mllvm -nopal-span the module is marked and is lowered
/// to serial code.
class ChooseSpanPass : public analysis::RequiredPass<ChooseSpanPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-choose-span";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Hooks of spawns become those of nopal_span.h, which are told what the code beside them
/// costs. A path of a function that spawns nothing has no hooks.
class TimeStrandsPass : public analysis::RequiredPass<TimeStrandsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-time-strands";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

using Passes = analysis::PassList<ChooseSpanPass, TimeStrandsPass>;

} // namespace nopal::span

#endif
