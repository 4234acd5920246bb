// The end of every stress test: the runtime stops, and nothing of it is left.
#ifndef NOPAL_STRESS_FIXTURE_H
#define NOPAL_STRESS_FIXTURE_H

#include "clones.h"

#include "../../runtime/src/config/config.h"
#include "../../runtime/src/idle/sleep.h"
#include "../../runtime/src/process/attach.h"
#include "../../runtime/src/process/runtime.h"
#include "../../runtime/src/stats/counters.h"

#include <cactus/segment.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

namespace stress {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NOPAL_STRESS_IS_SANITIZED 1
#endif
#endif
#ifdef NOPAL_STRESS_IS_SANITIZED
inline constexpr bool kIsSanitized =
    true;  // a stack switch costs a hundred times as much: smaller trees
#else
inline constexpr bool kIsSanitized = false;
#endif

/// How often to repeat; NOPAL_STRESS=1 in the environment asks for more.
inline long repetitions(long usual) {
  static const bool more = getenv("NOPAL_STRESS") != nullptr;
  return more ? usual * 20 : usual;
}

/// Helper threads that a start creates if none is refused; the others come when all these work.
inline std::size_t helpers_at_once() {
  return std::min(nopal::worker_count(), std::max(nopal::config().processors, 2u)) - 1;
}

/// Returns when so many workers have come together in a loop.
inline void meet(long workers) {
  std::atomic<long> begun{0};
  spawn_loop(0, workers, [&](long) {
    begun.fetch_add(1);
    while (begun.load() < workers) std::this_thread::yield();
  });
  EXPECT_EQ(begun, workers);
}

/// Is busy for that long, and spawns meanwhile.
inline void work_for(std::chrono::microseconds time) {
  for (const auto begun = std::chrono::steady_clock::now();
       std::chrono::steady_clock::now() - begun < time;)
    fib(2);
}

/// What has not come by then does not come.
inline constexpr std::chrono::seconds kLongEnough{20};

/// Calls `meanwhile()` until `is_so()`. Fails with a sentence if that takes longer than `limit`.
template <class Predicate, class Meanwhile>
testing::AssertionResult wait_until(Predicate is_so, std::chrono::seconds limit,
                                    Meanwhile meanwhile) {
  const auto begun = std::chrono::steady_clock::now();
  for (; !is_so(); meanwhile())
    if (std::chrono::steady_clock::now() - begun > limit)
      return testing::AssertionFailure() << "it was not so within " << limit.count() << " s";
  return testing::AssertionSuccess();
}
/// The same, asleep.
template <class Predicate>
testing::AssertionResult wait_until(Predicate is_so, std::chrono::seconds limit) {
  return wait_until(is_so, limit,
                    [] { std::this_thread::sleep_for(std::chrono::microseconds(50)); });
}

class Stress : public testing::Test {
 protected:
  void TearDown() override {
    ASSERT_TRUE(nopal::stop()) << "a thread that a test started is still attached";
    EXPECT_EQ(nopal::helper_thread_count(), 0u);
    const cactus::Accounting segments = cactus::accounting();
    EXPECT_EQ(segments.in_use, 0u);
    EXPECT_EQ(segments.reserved, 0u);
    const nopal::SleepCounts counts = nopal::sleep().counts();
    EXPECT_EQ(counts.searching + counts.polling + counts.parked, 0);
  }
};

}  // namespace stress

#endif
