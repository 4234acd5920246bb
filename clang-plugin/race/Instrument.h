//===- Instrument.h - Accesses reach the race detector ---------*- C++ -*-===//
//
// Clang's ThreadSanitizerPass between two passes of ours, after the serial lowering.
// Used by the plugin's entry point. What is reported to the detector, and why the optimizer is
// held back: README.md. Tests: tests/race.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_RACE_INSTRUMENT_H
#define NOPAL_RACE_INSTRUMENT_H

#include "../analysis/NamedPass.h"

namespace nopal::race {

/// At the start of the pipeline: with -mllvm -nopal-race the module is marked, is
/// lowered to serial code, and the optimizer makes no access that the program has not.
class ChooseRacePass : public analysis::RequiredPass<ChooseRacePass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-choose-race";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// After the serial lowering: instruments each access. Does nothing in a module that is
/// not marked, or already instrumented.
class InstrumentPass : public analysis::RequiredPass<InstrumentPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-instrument-race";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

using Passes = analysis::PassList<ChooseRacePass, InstrumentPass>;

} // namespace nopal::race

#endif
