// Deferred trimming: the pages of a suspended stack that its worker will decommit later.
//
// A suspended stack still holds the pages that its finished child touched, up to S₁ bytes. They do
// no harm while the worker that left the stack runs nothing: if it ran, it might hold as much. The
// stack is often resumed soon too. So the worker decommits the pages only when it begins another
// path. Proof: cactus-stack/README.md. Test: tests/unit/deferred_trim_test.cpp.
//
// Edges
//   [trim]  word_: the owner stores a stack (release). Then either the owner's compare-exchange to
//           "in progress" succeeds, or the resumer's to 0 (acquire): exactly one of the two. The
//           owner stores 0 after the trim (release); the resumer loads it (acquire) and may rely on
//           that: nobody decommits pages of this stack any more.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CACTUS_DEFERRED_TRIM_H
#define CACTUS_DEFERRED_TRIM_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cactus {

class Segment;

/// The deferred trim of one worker: at most one stack at a time. The owner is the thread that holds
/// the worker; handing the worker over needs a happens-before edge.
class DeferredTrim {
 public:
  DeferredTrim() = default;
  DeferredTrim(const DeferredTrim &) = delete;
  DeferredTrim &operator=(const DeferredTrim &) = delete;

  /// Performs the pending trim, then defers that of the lowest `length_bytes` (whole pages) of
  /// `segment`. Returns this. Caller: the owner, before another thread can learn that the stack may
  /// be resumed. Cost: perform() and a store.
  DeferredTrim *defer(Segment &segment, std::size_t length_bytes) noexcept;
  /// Decommits the pages, unless the stack was resumed. Caller: the owner, before its worker begins
  /// a path. Cost: a load if nothing is pending; else a compare-exchange and at most one madvise.
  void perform() noexcept;
  /// Whether a trim is pending or in progress. Any thread; a hint.
  bool is_pending() const noexcept { return word_.load(std::memory_order_acquire) != 0; }  // [trim]
  /// Cancels the trim of `segment`, or waits until it is done. Caller: the thread that resumes the
  /// stack, before it touches memory below its stack pointer. Cost: a compare-exchange; a trim in
  /// progress can take milliseconds if the stack is deep.
  void cancel(const Segment &segment) noexcept;

 private:
  static constexpr std::uintptr_t kInProgress = 1;  // a bit beside the segment's address

  std::atomic<std::uintptr_t> word_{0};  // 0: nothing is pending
  Segment *segment_ = nullptr;           // the owner's, as is length_bytes_
  std::size_t length_bytes_ = 0;
};

}  // namespace cactus

#endif
