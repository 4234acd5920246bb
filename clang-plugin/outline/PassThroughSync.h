//===- PassThroughSync.h - Syncs in try blocks, no regions -----*- C++ -*-===//
//
// A try block that does not spawn is no sync region, so a sync in it waits for the children of a
// region around it. What they threw is not the business of the handlers of the try block: in the
// serial program it was thrown before control came there. Used by the outliner before all else, on
// IR as Clang emits it. Tests: tests/pass/outline-pass-through-sync.ll,
// tests/programs/regressions/sync_in_inner_try.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_PASSTHROUGHSYNC_H
#define NOPAL_OUTLINE_PASSTHROUGHSYNC_H

namespace llvm {
class Module;
}

namespace nopal::outline {

/// Each `__nopal_pass_through_sync` becomes a `__nopal_sync` whose exceptions destroy
/// the variables of the try blocks that they leave, and pass their handlers by.
/// The markers of these try blocks go. True if there were any.
bool lowerPassThroughSyncs(llvm::Module &M);

} // namespace nopal::outline

#endif
