//===- SpawnedCalls.h - Which call a statement spawns -----------*- C++ -*-===//
//
// The front-end puts the marker __nopal_spawned after the last operand of the spawned call. Where
// Clang has emitted the call, the first stage exchanges the marker for an attribute of the call.
// Tests: tests/pass/outline-spawned.ll, tests/programs/language/spawned_calls.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_SPAWNEDCALLS_H
#define NOPAL_OUTLINE_SPAWNEDCALLS_H

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace nopal::outline {

/// Marks the spawned calls of \p F. A call that Clang has folded has none.
void markSpawnedCalls(llvm::Function &F);
/// Whether the child begins with \p Call.
bool isSpawned(const llvm::CallBase &Call);
/// \p Spawned is an ordinary call from now on; a marker goes.
void forgetSpawned(llvm::CallBase &Spawned);

} // namespace nopal::outline

#endif
