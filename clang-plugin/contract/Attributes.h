//===- Attributes.h - What one pass writes on a function for another -*- C++ -*-===//
//
// String attributes of functions and calls, which stay in bitcode. The outliner writes them if no
// other pass is named.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_ATTRIBUTES_H
#define NOPAL_CONTRACT_ATTRIBUTES_H

namespace nopal {

/// The call that a statement spawns, between the outliner's first stage and its last.
inline constexpr const char SpawnedAttr[] = "nopal-spawned";
/// Each function with a spawn.
inline constexpr const char SpawnerAttr[] = "nopal-spawner";
/// Each helper. The value is the name of the spawning function.
inline constexpr const char HelperAttr[] = "nopal-helper";
/// A spawner that was noinline before it became one.
inline constexpr const char KeptOutOfLineAttr[] = "nopal-kept-out-of-line";
/// A part of another function that is called in its place. A call of it may return on another
/// thread.
inline constexpr const char MigratesAttr[] = "nopal-migrates";
/// A function that may end on another thread than it began on.
inline constexpr const char ThreadChangesAttr[] = "nopal-thread-changes";

} // namespace nopal

#endif
