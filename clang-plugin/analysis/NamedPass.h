//===- NamedPass.h - Passes with one name everywhere -----------*- C++ -*-===//
//
// Used by the passes of outline/ and split/, and by the plugin's entry point.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_ANALYSIS_NAMEDPASS_H
#define NOPAL_ANALYSIS_NAMEDPASS_H

#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"

namespace nopal::analysis {

/// A pass whose `Name` is what -passes takes and what -print-changed,
/// -print-pipeline-passes, -opt-bisect-limit and -opt-disable print or take.
template <class Pass> struct NamedPass : llvm::PassInfoMixin<Pass> {
  static llvm::StringRef name() { return Pass::Name; }
};

/// A NamedPass that -opt-bisect-limit and -opt-disable must not leave out.
template <class Pass> struct RequiredPass : NamedPass<Pass> {
  static bool isRequired() { return true; }
};

/// Passes that can be made without arguments.
template <class... Passes> struct PassList {
  /// Adds the one that is called \p Name. False if there is none.
  template <class PassManager> static bool add(llvm::StringRef Name, PassManager &PM) {
    return ((Name == Passes::name() && (PM.addPass(Passes()), true)) || ...);
  }
  /// Tells LLVM's options all names.
  static void registerNames(llvm::PassInstrumentationCallbacks &PIC) {
    (PIC.addClassToPassName(Passes::name(), Passes::name()), ...);
  }
};

} // namespace nopal::analysis

#endif
