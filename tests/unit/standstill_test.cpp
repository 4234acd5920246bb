// Whether a worker stands still, by its thread's clock.
#include "worker/standstill.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using nopal::Standstill;
using nopal::stats::Activity;
using nopal::stats::WorkerCounters;

constexpr std::uint64_t kLongest = 20;

/// A worker whose thread sleeps until it is told to run for a moment.
class StandstillTest : public testing::Test {
 protected:
  StandstillTest()
      : thread_([this] {
          counters.cpu_begins(false);
          told_.store(0);
          for (int seen = 0; seen >= 0; seen = told_.load()) {
            told_.wait(seen);
            const std::uint64_t begun = nopal::thread_cpu_ns();
            while (nopal::thread_cpu_ns() < begun + 100'000) {
            }
            done_.store(told_.load());
          }
        }) {
    while (told_.load() != 0) std::this_thread::yield();
    counters.enter(Activity::kWorking, 0);
    sleep();
  }
  ~StandstillTest() override { tell(-1); }

  void run() {
    const int next = told_.load() + 1;
    tell(next);
    while (done_.load() != next) std::this_thread::yield();
    sleep();
  }

  WorkerCounters counters;
  Standstill standstill;

 private:
  void tell(int what) {
    told_.store(what);
    told_.notify_all();
    if (what < 0) thread_.join();
  }
  /// Until the thread's clock stands.
  void sleep() {
    for (std::uint64_t before = 0, now = 1; before != now;) {
      before = counters.thread_ran().ns;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      now = counters.thread_ran().ns;
    }
  }

  std::atomic<int> told_{1};
  std::atomic<int> done_{0};
  std::thread thread_;
};

TEST_F(StandstillTest, AThreadThatHasNotRunForSoLong) {
  EXPECT_FALSE(standstill.observe(100, counters, kLongest));
  EXPECT_FALSE(standstill.observe(119, counters, kLongest));
  EXPECT_TRUE(standstill.observe(120, counters, kLongest));
  run();
  EXPECT_FALSE(standstill.observe(130, counters, kLongest));
  EXPECT_TRUE(standstill.observe(150, counters, kLongest));
}

TEST_F(StandstillTest, AWorkerThatDoesNotWorkDoesNotStandStill) {
  counters.enter(Activity::kParked, 100);
  EXPECT_FALSE(standstill.observe(100, counters, kLongest));
  EXPECT_FALSE(standstill.observe(500, counters, kLongest));
  counters.enter(Activity::kWorking, 600);
  EXPECT_FALSE(standstill.observe(600, counters, kLongest));
  EXPECT_TRUE(standstill.observe(620, counters, kLongest));
}

}  // namespace
