// The pool of stack segments that all workers share, and when which stack gives pages back (the
// policy: cactus-stack/README.md).
//
// Made at the runtime's first start from the configuration, never destroyed. Used by workers
// (through their caches), stop and statistics. Checked by tests/unit/measure_test.cpp and
// benchmarks/space.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_SEGMENTS_H
#define NOPAL_WORKER_SEGMENTS_H

#include <cactus/segment.h>

namespace nopal {

/// The process's pool. Any thread; the first call reads the configuration.
cactus::SegmentPool &segment_pool() noexcept;

/// A segment from `cache`, which the caller owns. Null if the system has none, which is said once:
/// then the caller goes on with the stack that it has.
cactus::Segment *acquire_segment(cactus::SegmentCache &cache) noexcept;
/// Makes sure that the next acquire_segment succeeds, unless the cache is used meanwhile. Returns
/// false as that returns null.
bool reserve_segment(cactus::SegmentCache &cache) noexcept;

/// What a stack that is left, or a worker's own below its loop, may keep now of what was touched
/// below its stack pointer, in bytes: three pages while at most two segments a worker are in use,
/// one beyond. Any thread. Cost: two loads.
std::size_t kept_below() noexcept;

/// How much deeper than the serial program's stack a path may be, in bytes, with what earlier ones
/// have touched on its segment: a worker's share of half a mebibyte. Any thread. Cost: a load and a
/// division.
std::size_t spare_bytes() noexcept;

}  // namespace nopal

#endif
