// The memory of a segment for tests of cactus-stack: places counted from the top, and touched
// pages.
#pragma once

#include <cactus/segment.h>

#include <cstddef>
#include <cstring>

inline char *below_top(const cactus::Segment *segment, std::size_t distance) {
  return static_cast<char *>(segment->top()) - distance;
}

/// Touches the `depth` bytes below the top.
inline void dirty(const cactus::Segment *segment, std::size_t depth) {
  std::memset(below_top(segment, depth), 0x5a, depth);
}
