//===- Attributes.h - Function attributes that the passes agree on ---------===//
//
// Written by outline/ and split/, read by both and by analysis/. They outlive the
// pass that sets them: in bitcode too.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_MARKERS_ATTRIBUTES_H
#define NOPAL_MARKERS_ATTRIBUTES_H

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
/// one it began on (analysis/Migration.h).
inline constexpr const char ThreadChangesAttr[] = "nopal-thread-changes";

/// Function attribute on what LateEntry has cut off a function; its value is the function's name.
inline constexpr const char LateAttr[] = "nopal-late";

} // namespace nopal

#endif
