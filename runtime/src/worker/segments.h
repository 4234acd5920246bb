// The pool of stack segments that all workers share, and how much of a stack stays committed (the
// policy is in cactus-stack/README.md).
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

/// A segment from `cache`, which the caller owns. Null if the system has none, with a warning the
/// first time: the caller goes on with the stack that it has.
cactus::Segment *acquire_segment(cactus::SegmentCache &cache) noexcept;
/// Makes sure that the next acquire_segment succeeds, if the cache is not used meanwhile. Returns
/// false where that returns null.
bool reserve_segment(cactus::SegmentCache &cache) noexcept;

/// How many bytes may stay committed below the stack pointer of a suspended stack, or of a worker
/// loop: three pages while at most two segments a worker are in use, else one. Any thread. Cost:
/// two loads.
std::size_t kept_below() noexcept;

/// By how many bytes a path, with what earlier paths have touched on its segment, may exceed the
/// serial program's stack: a worker's share of half a mebibyte. Any thread. Cost: a load and a
/// division.
std::size_t spare_bytes() noexcept;

}  // namespace nopal

#endif
