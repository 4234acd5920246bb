//===- Outline.h - The early pass: spawned children become helpers --------===//
//
// Runs at the start of the pipeline, on the IR as Clang emits it. Moves the
// child part of each spawned statement into a helper function and leaves a call
// of the opaque marker __nopal_spawn(helper, operands...) in its place.
// Invariants: README.md in this folder. Tests: tests/pass/outline-*.ll, *.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_OUTLINE_H
#define NOPAL_OUTLINE_OUTLINE_H

#include "llvm/IR/PassManager.h"

namespace nopal {

/// Function attribute that the outliner puts on each function with a spawn.
inline constexpr const char SpawnerAttr[] = "nopal-spawner";
/// Function attribute on each helper; its value is the spawning function's name.
inline constexpr const char HelperAttr[] = "nopal-helper";
/// Function attribute on a spawner that was noinline before it became one.
inline constexpr const char KeptOutOfLineAttr[] = "nopal-kept-out-of-line";

/// Function attribute on functions made of a part of another one that is called
/// in its place: a call of it may come back on another thread.
inline constexpr const char MigratesAttr[] = "nopal-migrates";

/// Function attribute on each function that may go on on another thread than the
/// one it began on (split/Migration.h).
inline constexpr const char ThreadChangesAttr[] = "nopal-thread-changes";

/// A vector of more bits than its function may use registers for ("min-legal-vector-width") is passed in parts. What a function may use
/// grows with what is inlined into it, so \p F and \p Part, which has been made of a part of it and is called by it, would not agree
/// about \p Part's vectors: from now on both may use registers for them.
void passVectorsAlike(llvm::Function &F, llvm::Function &Part);

class OutlinePass : public llvm::PassInfoMixin<OutlinePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace nopal

#endif
