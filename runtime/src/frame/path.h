// Where in the cactus a worker's path lies, as its thieves read it: how deep a continuation is that
// they take, and whose it is.
//
// Written by the worker's owner when it goes to another stack or begins another path. Read by a
// thief with a claim on an element of that deque, and used if the claim is confirmed. If the owner
// pushed that element on this path, it has written nothing in between, since it would have settled
// the claim first (deque.h, `inspect`). Elements that came with a steal of several stay in the
// deque while the owner changes its path. So a thief may read a path to which its element does not
// belong: then the depth is unknown, by the address. Or it reads while the owner writes: then the
// version tells, and all is unknown. Checked by tests/unit/path_test.cpp, tests/stress and
// benchmarks/space.
//
// The owner's stores come before the release of bottom by its next push; a thief's loads, after its
// acquire of bottom and before the compare-exchange that takes the element. Without a claim: a
// hint. Edges: versioned.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_FRAME_PATH_H
#define NOPAL_FRAME_PATH_H

#include "../platform/atoms.h"
#include "sites.h"
#include "versioned.h"

#include <cactus/segment.h>

#include <cstddef>
#include <cstdint>

namespace nopal {

/// A piece of stack that one path uses.
struct Path {
  const char *low = nullptr;                      // of the stack
  const char *begin = nullptr;                    // where the path begins; both null: not known
  cactus::Depth depth{0, cactus::kUnknownDepth};  // of a frame at `begin`
  const nopal_frame *origin =
      nullptr;  // whose continuation the path is; null: it begins with the stack
  cactus::Depth origin_depth{0, cactus::kUnknownDepth};  // where callees of that frame begin

  /// How deep the callees of `frame` begin, which lies on this piece, or is the origin. Caller: the
  /// holder of its continuation.
  cactus::Depth depth_below(const nopal_frame *frame) const noexcept {
    const auto *at = reinterpret_cast<const char *>(frame);
    if (frame == origin) return origin_depth;
    const std::uint32_t frame_bytes = site_of(frame).frame_bytes;
    if (at < low || at >= begin) return {0, cactus::kUnknownDepth};
    const std::ptrdiff_t below = begin - at;
    const bool is_known = frame_bytes != 0 && depth.most < cactus::kUnknownDepth;
    return {depth.least + below,
            is_known ? depth.most + below + frame_bytes : cactus::kUnknownDepth};
  }

  /// The path that continues `origin`, whose callees begin at `depth`, with a slow clone at `begin`
  /// on the stack that ends at `low`. That clone's activation replaces its function's in the serial
  /// program, and is no larger than `frame_bytes` says.
  static Path continuation_of(const nopal_frame *origin, cactus::Depth depth, const void *low,
                              const void *begin) noexcept {
    const std::uint32_t frame_bytes = site_of(origin).frame_bytes;
    if (low == nullptr) begin = nullptr;
    const cactus::Depth at_begin{
        frame_bytes != 0 ? depth.least - static_cast<std::ptrdiff_t>(frame_bytes) : 0, depth.most};
    return {static_cast<const char *>(low), static_cast<const char *>(begin), at_begin, origin,
            depth};
  }
};

/// A path that thieves can read.
class PublishedPath {
 public:
  /// The owner.
  void set(const Path &path) noexcept {
    words_.set({word_of(path.low), word_of(path.begin), path.depth.least, path.depth.most,
                path.origin_depth.least, path.origin_depth.most, word_of(path.origin)});
  }
  /// The owner, or a thief with a claim, which gets an unknown path if the owner writes. Cost: nine
  /// loads.
  Path get() const noexcept {
    Words::Values words;
    if (!words_.get(words)) return {};
    return {pointer_to<char>(words[0]),
            pointer_to<char>(words[1]),
            {words[2], words[3]},
            pointer_to<nopal_frame>(words[kOrigin]),
            {words[4], words[5]}};
  }
  /// `origin` alone. Any thread; without a claim, a hint.
  const nopal_frame *origin() const noexcept {
    return pointer_to<nopal_frame>(words_.hint(kOrigin));
  }

 private:
  static std::int64_t word_of(const void *address) noexcept {
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(address));
  }
  template <class T>
  static const T *pointer_to(std::int64_t word) noexcept {
    return reinterpret_cast<const T *>(static_cast<std::intptr_t>(word));
  }

  static constexpr std::size_t kOrigin = 6;
  using Words = VersionedWords<HardwareAtoms, 7>;
  Words words_{{0, 0, 0, cactus::kUnknownDepth, 0, cactus::kUnknownDepth, 0}};
};

}  // namespace nopal

#endif
