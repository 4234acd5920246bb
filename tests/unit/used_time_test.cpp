// How long a worker has worked on a processor.
#include "worker/used_time.h"

#include "platform/clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

using nopal::UsedTime;
using nopal::stats::Activity;
using nopal::stats::WorkerCounters;

/// A worker whose thread spins, and tells how long it has run.
class Spinning {
 public:
  explicit Spinning(WorkerCounters &counters)
      : thread_([this, &counters] {
          counters.cpu_begins(false);
          while (!is_over_.load()) ran_ns_.store(nopal::thread_cpu_ns());
        }) {
    while (ran_ns_.load() == 0) std::this_thread::yield();
  }
  ~Spinning() {
    is_over_.store(true);
    thread_.join();
  }
  std::uint64_t ran_ns() const { return ran_ns_.load(); }
  /// Until it has run for a millisecond more.
  void wait() const {
    const std::uint64_t ran = ran_ns();
    while (ran_ns() < ran + 1'000'000) std::this_thread::yield();
  }

 private:
  std::atomic<bool> is_over_{false};
  std::atomic<std::uint64_t> ran_ns_{0};
  std::thread thread_;
};

TEST(UsedTime, AThreadsTimeIsNoTickLate) {
  WorkerCounters counters;
  const Spinning spinning(counters);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t before = spinning.ran_ns();
    EXPECT_GE(counters.thread_ran().ns, before);
  }
}

// measure_cpu() was not called, so nothing was read when the thread began.
TEST(UsedTime, AKnownThreadIsNotMeasuredForThat) {
  WorkerCounters counters;
  const Spinning spinning(counters);
  counters.enter(Activity::kWorking, 1'000);
  const WorkerCounters::Processor processor = counters.working_processor();
  EXPECT_EQ(processor.ran_ns, 0u);
  EXPECT_EQ(processor.waited_ns, 0u);
}

TEST(UsedTime, WorkCountsAtMostByTheClockOnTheWall) {
  WorkerCounters counters;
  const Spinning spinning(counters);
  UsedTime used;
  counters.enter(Activity::kWorking, 1'000);
  EXPECT_EQ(used.add_until(3'000, counters), 2'000u);  // nothing to compare with
  spinning.wait();
  EXPECT_EQ(used.add_until(4'000, counters), 3'000u);
  spinning.wait();
  counters.enter(Activity::kStealing, 5'000);
  EXPECT_EQ(used.add_until(9'000, counters), 4'000u);
  EXPECT_EQ(used.add_until(20'000, counters), 4'000u);
}

TEST(UsedTime, WaitingForAProcessorIsNoUse) {
  constexpr std::uint64_t kHour = 3'600'000'000'000;
  WorkerCounters counters;
  const Spinning spinning(counters);
  UsedTime used;
  counters.enter(Activity::kWorking, 0);
  const std::uint64_t first = used.add_until(1'000, counters);
  EXPECT_LT(used.add_until(kHour, counters) - first, kHour / 2);  // it cannot have run for so long
}

TEST(UsedTime, WaitsCountWhereOthersHaveTheirTurn) {
  constexpr std::uint64_t kHour = 3'600'000'000'000;
  WorkerCounters counters;
  const Spinning spinning(counters);
  UsedTime used;
  counters.enter(Activity::kWorking, 0);
  used.add_until(1'000, counters, true);
  EXPECT_EQ(used.add_until(kHour, counters, true), kHour);
  EXPECT_LT(used.add_until(2 * kHour, counters) - kHour, kHour / 2);  // and then no longer
}

TEST(UsedTime, AThreadThatIsGoneIsNotCompared) {
  WorkerCounters counters;
  UsedTime used;
  counters.enter(Activity::kWorking, 0);
  {
    const Spinning spinning(counters);
  }
  // join() may return before the kernel has let go of the thread, and its clock.
  while (counters.thread_ran().ns != 0) std::this_thread::yield();
  used.add_until(1'000, counters);
  EXPECT_EQ(used.add_until(5'000, counters), 5'000u);
}

TEST(UsedTime, AnotherThreadsTimeIsNotCompared) {
  WorkerCounters counters;
  UsedTime used;
  counters.enter(Activity::kWorking, 0);
  {
    const Spinning spinning(counters);
    used.add_until(1'000, counters);
  }
  const Spinning spinning(counters);
  EXPECT_EQ(used.add_until(5'000, counters), 5'000u);
}

}  // namespace
