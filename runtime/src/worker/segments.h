// The pool of stack segments that all worker slots share.
//
// Made at the runtime's first start from the configuration, never destroyed. Used by slots (through their caches), stop and statistics.
#ifndef NOPAL_WORKER_SEGMENTS_H
#define NOPAL_WORKER_SEGMENTS_H

#include <cactus/segment.h>

namespace nopal {

/// The process's pool. Any thread; the first call reads the configuration.
cactus::SegmentPool &segment_pool() noexcept;

/// A segment from `cache`, which the caller owns. Ends the process if the system has none: work that was begun could not go on.
cactus::Segment &acquire_segment(cactus::SegmentCache &cache) noexcept;

} // namespace nopal

#endif
