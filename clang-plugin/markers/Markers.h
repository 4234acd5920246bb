//===- Markers.h - The contract between front-end and passes ----*- C++ -*-===//
//
// Names of the marker functions that the front-end puts into the AST and the
// passes take away again. Meaning and promises: README.md in this folder.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_MARKERS_MARKERS_H
#define NOPAL_MARKERS_MARKERS_H

namespace nopal::marker {
inline constexpr const char Begin[] = "__nopal_begin";
inline constexpr const char BlockBegin[] = "__nopal_block_begin";
inline constexpr const char Child[] = "__nopal_child";
inline constexpr const char Outer[] = "__nopal_outer";
inline constexpr const char Literal[] = "__nopal_literal";
inline constexpr const char Made[] = "__nopal_made";
inline constexpr const char End[] = "__nopal_end";
inline constexpr const char RegionBegin[] = "__nopal_region_begin";
inline constexpr const char RegionEnd[] = "__nopal_region_end";
inline constexpr const char RegionEndCleanup[] = "__nopal_region_end_cleanup";
inline constexpr const char TryBegin[] = "__nopal_try_begin";
inline constexpr const char TryBody[] = "__nopal_try_body";
inline constexpr const char SyncOutside[] = "__nopal_sync_outside";
inline constexpr const char Sync[] = "__nopal_sync";
inline constexpr const char SyncInFlight[] = "__nopal_sync_in_flight";
inline constexpr const char SyncCleanup[] = "__nopal_sync_cleanup";
inline constexpr const char Spawn[] = "__nopal_spawn";
inline constexpr const char LoopBegin[] = "__nopal_loop_begin";
inline constexpr const char LoopLow[] = "__nopal_loop_low";
inline constexpr const char LoopHigh[] = "__nopal_loop_high";
inline constexpr const char LoopEnd[] = "__nopal_loop_end";
inline constexpr const char Loop[] = "__nopal_loop";
inline constexpr const char Private[] = "__nopal_private";
inline constexpr const char ThreadBound[] = "__nopal_thread_bound";
inline constexpr const char ThreadApart[] = "__nopal_thread_apart";
} // namespace nopal::marker

#endif
