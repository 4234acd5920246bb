//===- Lowering.h - Markers become serial code with hooks ------*- C++ -*-===//
//
// The other way to lower what the outliner leaves: each child is called in place, and
// hooks tell a tool what is parallel. Used by the plugin's entry point. What the hooks
// mean and when they are called: README.md. Tests: tests/pass/serial-*, tests/span.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SERIAL_LOWERING_H
#define NOPAL_SERIAL_LOWERING_H

#include "../analysis/NamedPass.h"

namespace nopal::serial {

/// At the start of the pipeline: with -mllvm -nopal-serial the module is marked
/// (contract/Serial.h), so that all later passes know.
class ChooseSerialPass : public analysis::RequiredPass<ChooseSerialPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-choose-serial";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Before the split, which then finds no marker of a spawn. Does nothing in a module
/// that is not marked.
class LowerSeriallyPass : public analysis::RequiredPass<LowerSeriallyPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-lower-serially";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

using Passes = analysis::PassList<ChooseSerialPass, LowerSeriallyPass>;

} // namespace nopal::serial

#endif
