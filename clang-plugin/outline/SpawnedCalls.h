//===- SpawnedCalls.h - Which call a statement spawns -----------*- C++ -*-===//
//
// The front-end puts the marker __nopal_spawned after the last operand of the spawned call. If
// Clang has emitted the call, this stage replaces the marker by an attribute of the call. Tests:
// tests/pass/outline-spawned.ll, tests/programs/language/spawned_calls.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_SPAWNEDCALLS_H
#define NOPAL_OUTLINE_SPAWNEDCALLS_H

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace nopal::outline {

/// Marks the spawned calls of \p F. A call that Clang has folded gets no mark.
void markSpawnedCalls(llvm::Function &F);
/// Whether the child begins with \p Call.
bool isSpawned(const llvm::CallBase &Call);
/// Makes \p Spawned an ordinary call, or erases it if it is a marker.
void forgetSpawned(llvm::CallBase &Spawned);

} // namespace nopal::outline

#endif
