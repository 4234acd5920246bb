// Where in the cactus a worker's path lies, as its thieves read it: how deep a continuation is that
// they take, and whose it is.
//
// Written by the worker's owner when it goes to another stack or begins another path, each time
// with an empty deque. Read by a thief with a claim on an element of that deque, and used if the
// claim is confirmed: then the owner has written nothing in between, since it would have settled
// the claim first (deque.h, `look`). Checked by tests/unit/path_test.cpp, tests/stress and
// benchmarks/space.
//
// Edges
//   [path] relaxed: the owner's stores, before the release of bottom by its next push -> a thief's
//       loads, after its acquire of bottom and before the compare-exchange that takes the element.
//       Without a claim: a hint.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_FRAME_PATH_H
#define NOPAL_FRAME_PATH_H

#include "sites.h"

#include <cactus/segment.h>

#include <atomic>
#include <cstddef>

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
  /// The owner, whose deque is empty.
  void set(const Path &path) noexcept {
    low_.store(path.low, std::memory_order_relaxed);                          // [path]
    begin_.store(path.begin, std::memory_order_relaxed);                      // [path]
    least_.store(path.depth.least, std::memory_order_relaxed);                // [path]
    most_.store(path.depth.most, std::memory_order_relaxed);                  // [path]
    origin_.store(path.origin, std::memory_order_relaxed);                    // [path]
    origin_least_.store(path.origin_depth.least, std::memory_order_relaxed);  // [path]
    origin_most_.store(path.origin_depth.most, std::memory_order_relaxed);    // [path]
  }
  /// The owner, or a thief with a claim. Cost: seven loads.
  Path get() const noexcept {
    Path path;
    path.low = low_.load(std::memory_order_relaxed);                          // [path]
    path.begin = begin_.load(std::memory_order_relaxed);                      // [path]
    path.depth.least = least_.load(std::memory_order_relaxed);                // [path]
    path.depth.most = most_.load(std::memory_order_relaxed);                  // [path]
    path.origin = origin_.load(std::memory_order_relaxed);                    // [path]
    path.origin_depth.least = origin_least_.load(std::memory_order_relaxed);  // [path]
    path.origin_depth.most = origin_most_.load(std::memory_order_relaxed);    // [path]
    return path;
  }
  /// `origin` alone. Any thread; without a claim, a hint.
  const nopal_frame *origin() const noexcept {
    return origin_.load(std::memory_order_relaxed);  // [path]
  }

 private:
  std::atomic<const char *> low_{nullptr}, begin_{nullptr};
  std::atomic<std::ptrdiff_t> least_{0}, most_{cactus::kUnknownDepth};
  std::atomic<const nopal_frame *> origin_{nullptr};
  std::atomic<std::ptrdiff_t> origin_least_{0}, origin_most_{cactus::kUnknownDepth};
};

}  // namespace nopal

#endif
