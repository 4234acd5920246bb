// See segments.h.
#include "segments.h"

#include "../config/config.h"
#include "../fatal.h"
#include "roster.h"

#include <cerrno>
#include <cstring>

namespace nopal {

cactus::SegmentPool &segment_pool() noexcept {
  [[clang::no_destroy]] static cactus::SegmentPool pool(
      {.segment_bytes = config().segment_size_bytes, .max_idle = std::size_t{4} * config().nworkers});
  return pool;
}

cactus::Segment &acquire_segment(cactus::SegmentCache &cache) noexcept {
  cactus::Segment *segment = cache.acquire();
  if (segment == nullptr) [[unlikely]]
    fatal("cannot map %zu bytes for a stack segment: %s; raise vm.max_map_count or lower CILK_SEGMENT_SIZE", segment_pool().segment_bytes(),
          std::strerror(errno));
  return *segment;
}

std::size_t kept_below() noexcept {
  return cactus::segments_in_use() <= std::size_t{2} * roster().slots() ? cactus::kKeptBelowBytes : cactus::page_bytes();
}

} // namespace nopal
