// See patience.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patience.h"

#include "../frame/join.h"
#include "../platform/floating_point.h"
#include "find_work.h"
#include "fork.h"
#include "worker_loop.h"

#include <sched.h>

#include <cfenv>

namespace nopal {
namespace {

// As long as leaving a stack and coming back take at least, with what is decommitted and touched
// again.
constexpr std::uint64_t kShortNs = 20'000;
// A theft costs some microseconds where thefts are rare, so what is that short is waited for.
constexpr std::uint64_t kBeforeHelpNs = 5'000;
// As long as two threads take to wake on idle processors.
constexpr std::uint64_t kLongNs = 200'000;
// Helped continuations on one stack: each costs it what the slow clone and its callers here take, which the serial program does not have.
constexpr std::uint32_t kMostNested = 32;
constexpr int kLooksBeforeYield = 32;  // with few cores those whom we wait for need ours

void pause(int look) noexcept {
  if (look < kLooksBeforeYield)
    HardwareAtoms::spin_pause();
  else
    sched_yield();
}

}  // namespace

Patience look_until_joined(nopal_frame *frame) noexcept {
  const std::uint64_t begun = now_ns();
  for (int look = 0; !FrameJoin::is_only_child_left(frame); ++look) {
    if (now_ns() - begun > kShortNs) return {};
    pause(look);
  }
  return {.is_joined = true};
}

Patience help_until_joined(nopal_frame *frame) noexcept {
  std::fenv_t environment;  // with the sticky flags
  std::fegetenv(&environment);
  this_worker().floating_point.store(floating_point_control(), std::memory_order_relaxed);  // what thefts compare with
  std::uint64_t begun = now_ns();
  for (int look = 0; !FrameJoin::is_only_child_left(frame); ++look) {
    refuse_if_forked();  // what we helped with may have done that
    const std::uint64_t waited = now_ns() - begun;
    if (waited < kBeforeHelpNs) {
      pause(look);
      continue;
    }
    const Stolen stolen = this_thread().helping < kMostNested ? steal_below(this_worker(), frame) : Stolen{};
    if (stolen.frame != nullptr) {
      ++this_thread().helping;
      nopal_frame *const exclusive = run_in_place(stolen);
      --this_thread().helping;
      std::fesetenv(&environment);
      this_worker().floating_point.store(floating_point_control(), std::memory_order_relaxed);  // thieves: see Worker
      if (exclusive != nullptr) {
        refuse_if_forked();
        return {.resumed_first = exclusive};
      }
      begun = now_ns();
      look = 0;
      continue;
    }
    if (waited > kLongNs || (waited > kShortNs && is_work_in_sight())) return {};
    pause(look);
  }
  return {.is_joined = true};
}

}  // namespace nopal
