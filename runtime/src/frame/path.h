// Where in the cactus a worker's path lies, as its thieves read it: how deep a continuation is that
// they take, and whose it is.
//
// Written by the worker's owner when it goes to another stack or begins another path. Read by a
// thief with a claim on an element of that deque, and used if the claim is confirmed. If the owner
// pushed that element on this path, it has written nothing in between, since it would have settled
// the claim first (deque.h, `look`). Elements that came with a steal of several stay in the deque
// while the owner changes its path. So a thief may read a path to which its element does not
// belong: then the depth is unknown, by the address. Or it reads while the owner writes: then the
// version tells, and all is unknown. Checked by tests/unit/path_test.cpp, tests/stress and
// benchmarks/space.
//
// Edges
//   [path] relaxed: the owner's stores, before the release of bottom by its next push -> a thief's
//       loads, after its acquire of bottom and before the compare-exchange that takes the element.
//       Without a claim: a hint.
//   [version] the owner's store of an odd number, fence, stores, store-release of the next even one
//       || a reader's load-acquire, loads, fence, load: if both are the same even number, what was
//       read is one path.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_FRAME_PATH_H
#define NOPAL_FRAME_PATH_H

#include "sites.h"

#include <cactus/segment.h>

#include <atomic>
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
    const std::uint32_t version = version_.load(std::memory_order_relaxed);   // [version]: ours
    version_.store(version + 1, std::memory_order_relaxed);                   // [version]
    std::atomic_thread_fence(std::memory_order_release);                      // [version]
    low_.store(path.low, std::memory_order_relaxed);                          // [path]
    begin_.store(path.begin, std::memory_order_relaxed);                      // [path]
    least_.store(path.depth.least, std::memory_order_relaxed);                // [path]
    most_.store(path.depth.most, std::memory_order_relaxed);                  // [path]
    origin_.store(path.origin, std::memory_order_relaxed);                    // [path]
    origin_least_.store(path.origin_depth.least, std::memory_order_relaxed);  // [path]
    origin_most_.store(path.origin_depth.most, std::memory_order_relaxed);    // [path]
    version_.store(version + 2, std::memory_order_release);                   // [version]
  }
  /// The owner, or a thief with a claim, which gets an unknown path if the owner writes. Cost: nine
  /// loads.
  Path get() const noexcept {
    const std::uint32_t version = version_.load(std::memory_order_acquire);  // [version]
    Path path;
    path.low = low_.load(std::memory_order_relaxed);                          // [path]
    path.begin = begin_.load(std::memory_order_relaxed);                      // [path]
    path.depth.least = least_.load(std::memory_order_relaxed);                // [path]
    path.depth.most = most_.load(std::memory_order_relaxed);                  // [path]
    path.origin = origin_.load(std::memory_order_relaxed);                    // [path]
    path.origin_depth.least = origin_least_.load(std::memory_order_relaxed);  // [path]
    path.origin_depth.most = origin_most_.load(std::memory_order_relaxed);    // [path]
    std::atomic_thread_fence(std::memory_order_acquire);                      // [version]
    const bool is_whole =
        version % 2 == 0 && version_.load(std::memory_order_relaxed) == version;  // [version]
    return is_whole ? path : Path{};
  }
  /// `origin` alone. Any thread; without a claim, a hint.
  const nopal_frame *origin() const noexcept {
    return origin_.load(std::memory_order_relaxed);  // [path]
  }

 private:
  std::atomic<std::uint32_t> version_{0};  // odd while the owner writes
  std::atomic<const char *> low_{nullptr}, begin_{nullptr};
  std::atomic<std::ptrdiff_t> least_{0}, most_{cactus::kUnknownDepth};
  std::atomic<const nopal_frame *> origin_{nullptr};
  std::atomic<std::ptrdiff_t> origin_least_{0}, origin_most_{cactus::kUnknownDepth};
};

}  // namespace nopal

#endif
