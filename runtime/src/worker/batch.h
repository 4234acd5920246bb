// What a worker has taken at one steal: several continuations of one deque, oldest first.
//
// The thief runs the youngest; the others go into its own deque when its path begins
// (scheduler/worker_loop.cpp), where they are stealable at once. A member of each Worker, owner
// only. Why that is right: README.md, "Several at once". Checked by tests/stress/batch_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_BATCH_H
#define NOPAL_WORKER_BATCH_H

#include "../frame/path.h"
#include "../policy/policy.h"

#include <array>
#include <cstdint>

namespace nopal {

struct Batch {
  static constexpr std::int64_t kMost = policy::kMostTaken;

  std::array<nopal_frame *, kMost> frames{};
  std::array<cactus::Depth, kMost> depths{};  // where the callees of each begin
  std::int64_t count = 0;                     // the youngest included; 0: nothing to push

  /// Where the callees of `frame` begin, which was the element at `position` of the deque.
  cactus::Depth depth_of(const nopal_frame *frame, std::int64_t position) const noexcept {
    const bool is_known = position < kMost && frames[static_cast<std::size_t>(position)] == frame;
    return is_known ? depths[static_cast<std::size_t>(position)]
                    : cactus::Depth{0, cactus::kUnknownDepth};
  }
};

}  // namespace nopal

#endif
