// Workers that have had nothing to do for a while: a push calls the one that polls, and what is pushed is run.
#include "fixture.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace stress {
namespace {

using IdleTest = Stress;

TEST_F(IdleTest, APushCallsThePoller) {
  fib(5);
  if (nopal::worker_count() < 2 || nopal::helper_thread_count() == 0) GTEST_SKIP() << "nobody is there to poll";
  const std::uint64_t before = nopal::sleep().calls();
  for (long call = repetitions(20); call > 0;) {
    while (!nopal::sleep().waits_for_call()) std::this_thread::sleep_for(std::chrono::microseconds(50));
    const std::uint64_t so_far = nopal::sleep().calls();
    spawn_loop(0, 1, [](long) {});
    call -= static_cast<long>(nopal::sleep().calls() - so_far); // the poller may have looked by itself just then
  }
  EXPECT_GE(nopal::sleep().calls() - before, 20u);
}

// All workers of this thread meet in a loop, again and again, each time after another pause.
TEST_F(IdleTest, AllWorkersComeAfterAPause) {
  for (long round = repetitions(30); round > 0; --round) {
    std::this_thread::sleep_for(std::chrono::microseconds((round % 10) * (round % 10) * 100));
    meet(static_cast<long>(nopal::worker_count()));
  }
}

// A thread that attaches for its first spawn while the poller sleeps.
TEST_F(IdleTest, AThreadThatAttachesCalls) {
  fib(5);
  if (nopal::worker_count() < 2 || nopal::helper_thread_count() == 0) GTEST_SKIP() << "nobody is there to poll";
  for (long call = repetitions(10); call > 0;) {
    while (!nopal::sleep().waits_for_call()) std::this_thread::sleep_for(std::chrono::microseconds(50));
    const std::uint64_t so_far = nopal::sleep().calls();
    std::thread([] { spawn_loop(0, 1, [](long) {}); }).join();
    call -= static_cast<long>(nopal::sleep().calls() - so_far);
  }
}

} // namespace
} // namespace stress
