// Trimming that is put off: what a worker owes for the stack that it has left.
//
// A segment whose stack is left holds what its finished child dirtied, up to S₁. As long as the worker that left it runs nothing, that costs no more than
// the worker would if it ran; and often the stack is resumed at once. So the pages are given back only when that worker begins
// another path. The proof stands in cactus-stack/README.md; tests/unit/debt_test.cpp checks it.
//
// Edges
//   [debt]  word_: owner's store of a stack (release) -> its compare-exchange to "being paid" or the resumer's to 0 (acquire): exactly one of
//           the two succeeds. Owner's store of 0 when paid (release) -> the resumer's load (acquire): nobody gives pages back any more.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CACTUS_DEBT_H
#define CACTUS_DEBT_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cactus {

class Segment;

/// What one worker owes: at most one stack's trimming. The owner is who holds the worker; a hand-over is a happens-before edge.
class TrimDebt {
 public:
  TrimDebt() = default;
  TrimDebt(const TrimDebt &) = delete;
  TrimDebt &operator=(const TrimDebt &) = delete;

  /// Pays what is owed, and owes the lowest `length` bytes of `segment`, whole pages. The owner, before anybody can learn that the stack may be
  /// resumed. Returns this. Cost: as pay(), and a store.
  TrimDebt *owe(Segment &segment, std::size_t length) noexcept;
  /// Gives the pages back, unless the stack runs again. The owner, before its worker begins a path. Cost: a load if nothing is owed, else a
  /// compare-exchange and at most one madvise.
  void pay() noexcept;
  /// Whether something is owed, or being paid. Any thread; a hint.
  bool is_owed() const noexcept { return word_.load(std::memory_order_acquire) != 0; }  // [debt]
  /// The segment runs again: nothing is owed for it, or it has been paid. Who goes on with it, before it uses memory below its stack pointer.
  /// Cost: a compare-exchange; waits while the owner pays, which for a deep stack may take milliseconds.
  void cancel(const Segment &segment) noexcept;

 private:
  static constexpr std::uintptr_t kBeingPaid = 1;  // beside the segment's address

  std::atomic<std::uintptr_t> word_{0};
  Segment *segment_ = nullptr;  // the owner's, as is length_
  std::size_t length_ = 0;
};

}  // namespace cactus

#endif
