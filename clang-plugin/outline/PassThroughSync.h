//===- PassThroughSync.h - Syncs in try blocks without spawns --*- C++ -*-===//
//
// A try block that does not spawn is no sync region, so a sync in it waits for the children of a
// region around it. The handlers of the try block must not catch what these children threw: in the
// serial program it was thrown before control came there. Runs before the statements are outlined,
// on IR as Clang emits it. Tests: tests/pass/outline-pass-through-sync.ll,
// tests/programs/regressions/sync_in_inner_try.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_PASSTHROUGHSYNC_H
#define NOPAL_OUTLINE_PASSTHROUGHSYNC_H

namespace llvm {
class Module;
}

namespace nopal::outline {

/// Replaces each `__nopal_pass_through_sync` by a `__nopal_sync`. Its exceptions destroy the
/// variables of the try blocks that they leave, and bypass their handlers. Removes the markers of
/// these try blocks. True if there were any.
bool lowerPassThroughSyncs(llvm::Module &M);

} // namespace nopal::outline

#endif
