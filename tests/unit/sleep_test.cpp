// The sleep word's transitions: a worker watches while a thread is attached, no wake-up is lost,
// and closing wakes all. The poller's alarm.
#include "idle/sleep.h"

#include <gtest/gtest.h>

#include <sched.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace {

using nopal::Sleep;
using nopal::Sleeper;

/// A thread that goes idle excludes a processor. Here many threads are not woken.
class SleepTest : public testing::Test {
 protected:
  SleepTest() { sched_getaffinity(0, sizeof before_, &before_); }
  ~SleepTest() override { sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_;
};

/// A thread is attached, and one worker polls for it.
struct Polling {
  Polling() {
    sleep.attached();
    sleep.start_search();
    sleep.go_idle(poller);
  }
  Sleep sleep;
  Sleeper poller;
};

TEST_F(SleepTest, TheFirstToRestPollsTheNextParks) {
  Sleep sleep;
  Sleeper first, second;
  sleep.attached();
  sleep.start_search();
  sleep.start_search();
  EXPECT_EQ(sleep.go_idle(first), Sleep::Next::kPoll);
  EXPECT_EQ(sleep.go_idle(second), Sleep::Next::kPark);
  EXPECT_EQ(sleep.counts().polling, 1);
  EXPECT_EQ(sleep.counts().parked, 1);
}

TEST_F(SleepTest, NobodyAttachedAllPark) {
  Sleep sleep;
  Sleeper only;
  sleep.start_search();
  EXPECT_EQ(sleep.go_idle(only), Sleep::Next::kPark);
}

TEST_F(SleepTest, AttachingWakesOneIfNobodyWatches) {
  Sleep sleep;
  std::array<Sleeper, 2> sleepers;
  for (Sleeper &sleeper : sleepers) {
    sleep.start_search();
    EXPECT_EQ(sleep.go_idle(sleeper), Sleep::Next::kPark);
  }
  sleep.attached();
  EXPECT_EQ(sleep.counts().searching, 1);
  EXPECT_EQ(sleep.counts().parked, 1);
  sleep.wait_parked(sleepers[1]);  // the last to park is the first to wake: returns at once
  sleep.attached();
  EXPECT_EQ(sleep.counts().parked, 1) << "one watches already";
}

TEST_F(SleepTest, ThePollerThatFindsWorkLeavesAnotherWatching) {
  Sleep sleep;
  Sleeper poller, parked;
  sleep.attached();
  sleep.start_search();
  sleep.start_search();
  sleep.go_idle(poller);
  sleep.go_idle(parked);
  sleep.poller_found_work(poller);
  EXPECT_EQ(sleep.counts().searching, 1);
  EXPECT_EQ(sleep.counts().parked, 0);
  sleep.wait_parked(parked);
}

TEST_F(SleepTest, TheSearcherThatFindsWorkLeavesAnotherWatching) {
  Sleep sleep;
  Sleeper parked;
  sleep.start_search();
  sleep.go_idle(parked);
  sleep.start_search();  // before anybody is attached: attaching sees it and wakes nobody
  sleep.attached();
  EXPECT_EQ(sleep.counts().parked, 1);
  Sleeper searcher;
  sleep.found_work(searcher);
  EXPECT_EQ(sleep.counts().parked, 0);
  EXPECT_EQ(sleep.counts().searching, 1);
}

/// A poller, three parked workers, and a woken one that finds work.
struct FourSleep : Polling {
  FourSleep() {
    for (Sleeper &one : parked) {
      sleep.start_search();
      sleep.go_idle(one);
    }
    sleep.start_search();
  }
  std::array<Sleeper, 3> parked;
  Sleeper self;
};
constexpr std::uint32_t kMany = nopal::policy::kFewWorkers + 1;

TEST_F(SleepTest, WithManyWorkersOneThatWasWokenAndLeavesMoreWakesTwo) {
  FourSleep it;
  it.sleep.found_work(it.self, {.workers = kMany, .was_woken = true, .leaves_more = true});
  EXPECT_EQ(it.sleep.counts().parked, 1);
  EXPECT_EQ(it.sleep.counts().searching, 2);
  it.sleep.wait_parked(it.parked[2]);
  it.sleep.wait_parked(it.parked[1]);
  it.sleep.found_work(it.self, {.workers = kMany, .was_woken = true, .leaves_more = true});
  EXPECT_EQ(it.sleep.counts().parked, 0) << "the last one";
  it.sleep.wait_parked(it.parked[0]);
}

TEST_F(SleepTest, ElseNobodyIsWokenWhileOneWatches) {
  FourSleep it;
  it.sleep.found_work(it.self, {.workers = kMany, .was_woken = true});
  it.sleep.start_search();
  it.sleep.found_work(it.self, {.workers = kMany, .leaves_more = true});
  it.sleep.start_search();
  it.sleep.found_work(it.self, {.workers = kMany - 1, .was_woken = true, .leaves_more = true});
  EXPECT_EQ(it.sleep.counts().parked, 3);
}

TEST_F(SleepTest, ThePollerParksWhenNobodyIsAttachedAnyMore) {
  Polling it;
  auto &[sleep, poller] = it;
  EXPECT_FALSE(sleep.poller_may_park(poller));
  sleep.detached();
  EXPECT_TRUE(sleep.poller_may_park(poller));
  EXPECT_EQ(sleep.counts().parked, 1);
}

TEST_F(SleepTest, ClosingWakesAllAndLetsNobodyRest) {
  Sleep sleep;
  Sleeper poller, parked, late;
  sleep.attached();
  for (int i = 0; i < 3; ++i) sleep.start_search();
  sleep.go_idle(poller);
  sleep.go_idle(parked);
  sleep.close();
  sleep.wait_parked(parked);
  sleep.wait_polling(poller, std::chrono::hours(1));
  EXPECT_EQ(sleep.go_idle(late), Sleep::Next::kStop);
  EXPECT_EQ(sleep.counts().parked, 0);
  sleep.open();
}

TEST_F(SleepTest, AnAlarmThatIsSetIsTakenByOnePush) {
  Polling it;
  auto &[sleep, poller] = it;
  sleep.pushed_slowly();
  EXPECT_EQ(sleep.calls(), 0u) << "there is no alarm";
  ASSERT_TRUE(sleep.set_alarm(poller));
  sleep.wait_for_call(poller, std::chrono::nanoseconds(1));
  EXPECT_TRUE(sleep.waits_for_call());
  int prepared = 0;
  sleep.pushed_slowly([&] { ++prepared; });
  sleep.pushed_slowly([&] { ++prepared; });
  EXPECT_EQ(prepared, 1);
  EXPECT_EQ(sleep.calls(), 1u);
  EXPECT_FALSE(sleep.waits_for_call());
  sleep.wait_polling(poller, std::chrono::hours(1));
  EXPECT_TRUE(sleep.reset_alarm(poller)) << "somebody has called";
  EXPECT_EQ(poller.signal.load(), 0u) << "the call would shorten the pause after it";
  ASSERT_TRUE(sleep.set_alarm(poller));
  EXPECT_FALSE(sleep.reset_alarm(poller)) << "nobody has called since";
  sleep.pushed_slowly();
  EXPECT_EQ(sleep.calls(), 1u) << "there is no alarm any more";
}

TEST_F(SleepTest, APollerThatIsAwakeIsNotWoken) {
  Polling it;
  auto &[sleep, poller] = it;
  ASSERT_TRUE(sleep.set_alarm(poller));
  sleep.pushed_slowly();
  EXPECT_EQ(sleep.calls(), 0u);
  sleep.wait_for_call(poller, std::chrono::hours(1));  // does not
  EXPECT_TRUE(sleep.reset_alarm(poller));
}

TEST_F(SleepTest, APushWakesThePollerThatSleeps) {
  Polling it;
  auto &[sleep, poller] = it;
  std::thread sleeper([&] {
    while (sleep.calls() < 100) {
      ASSERT_TRUE(sleep.set_alarm(poller));
      sleep.wait_for_call(poller, std::chrono::milliseconds(
                                      1));  // a time, since who pushes stops after the last call
      sleep.reset_alarm(poller);
    }
  });
  while (sleep.calls() < 100) sleep.pushed_slowly();
  sleeper.join();
}

TEST_F(SleepTest, ACallThatComesLateWakesNoParkedWorker) {
  Polling it;
  auto &[sleep, poller] = it;
  ASSERT_TRUE(sleep.set_alarm(poller));
  sleep.wait_for_call(poller, std::chrono::nanoseconds(1));
  sleep.detached();
  ASSERT_TRUE(sleep.poller_may_park(poller));
  sleep.pushed_slowly();
  EXPECT_EQ(sleep.calls(), 1u);
  EXPECT_EQ(poller.signal.load(), 0u);
  EXPECT_EQ(sleep.counts().parked, 1);
}

TEST_F(SleepTest, ACallThatComesLateShortensNoFurtherRest) {
  Polling it;
  auto &[sleep, poller] = it;
  poller.signal = 1;  // as it leaves it
  const auto slept_since_ns = poller.since_ns;
  sleep.sleep_for_pause(poller, std::chrono::nanoseconds(1));
  EXPECT_GT(poller.since_ns, slept_since_ns) << "who calls next would take it for a long sleep";
  EXPECT_EQ(poller.signal.load(), 0u) << "and this one it did not shorten either";
  sleep.close();
  sleep.sleep_for_pause(poller, std::chrono::hours(1));  // returns, since the runtime stops
  sleep.open();
}

TEST_F(SleepTest, NoAlarmWhileClosed) {
  Polling it;
  auto &[sleep, poller] = it;
  ASSERT_TRUE(sleep.set_alarm(poller));
  sleep.close();
  sleep.wait_polling(poller, std::chrono::hours(1));
  EXPECT_FALSE(sleep.set_alarm(poller));
  EXPECT_FALSE(sleep.waits_for_call());
  sleep.stop_polling(poller);
  sleep.open();
}

TEST_F(SleepTest, AForkedProcessHasNoAlarm) {
  Polling it;
  auto &[sleep, poller] = it;
  ASSERT_TRUE(sleep.set_alarm(poller));
  sleep.lock();
  sleep.forget_sleepers_locked();
  sleep.unlock();
  sleep.pushed_slowly();
  EXPECT_EQ(sleep.calls(), 0u);
}

/// Workers without a thread; `starts` counts the requests to start one.
class ReserveTest : public SleepTest {
 protected:
  ReserveTest() {
    starts = 0;
    refuses = false;
    sleep.keep_in_reserve(2, start_one);
    sleep.start_search();  // as whoever starts the first
    sleep.attached();
  }
  static bool start_one() noexcept {
    ++starts;
    return !refuses;
  }
  static inline int starts = 0;
  static inline bool refuses = false;
  Sleep sleep;
  Sleeper self;
};

TEST_F(ReserveTest, IsNotTouchedWhileSomebodyWatches) {
  EXPECT_EQ(starts, 0);
  sleep.start_search();
  sleep.found_work(self);
  EXPECT_EQ(starts, 0);
}

TEST_F(ReserveTest, WhoFindsWorkAndLeavesNobodyWatchingHasOneStarted) {
  sleep.found_work(self);
  EXPECT_EQ(starts, 1);
  EXPECT_EQ(sleep.counts().searching, 1) << "it searches from its start";
  sleep.found_work(self);
  EXPECT_EQ(starts, 2);
  sleep.found_work(self);
  EXPECT_EQ(starts, 2) << "the reserve is empty";
  EXPECT_EQ(sleep.counts().searching, 0);
}

TEST_F(ReserveTest, TheParkedComeFirst) {
  Sleeper poller, parked;
  sleep.start_search();
  sleep.go_idle(poller);
  sleep.start_search();
  sleep.go_idle(parked);
  sleep.found_work(self);
  sleep.poller_found_work(poller);
  EXPECT_EQ(starts, 0);
  EXPECT_EQ(sleep.counts().parked, 0);
  sleep.wait_parked(parked);
  sleep.found_work(parked);
  EXPECT_EQ(starts, 1);
}

TEST_F(ReserveTest, WhatIsRefusedIsNotCounted) {
  refuses = true;
  sleep.found_work(self);
  EXPECT_EQ(starts, 1) << "not at once again";
  EXPECT_EQ(sleep.counts().searching, 0);
  sleep.start_search();
  refuses = false;
  sleep.found_work(self);
  EXPECT_EQ(starts, 2) << "but when there is work the next time";
  EXPECT_EQ(sleep.counts().searching, 1);
}

// A worker counts as searching while the system is asked for its thread. A worker that finds work
// meanwhile relies on that, and leaves another one parked.
TEST_F(ReserveTest, ARefusalWakesWhoWasLeftParkedMeanwhile) {
  static Sleep *the_sleep;
  static Sleeper poller, parked;
  the_sleep = &sleep;
  sleep.keep_in_reserve(1, []() noexcept {
    the_sleep->start_search();
    the_sleep->go_idle(poller);
    the_sleep->start_search();
    the_sleep->go_idle(parked);
    the_sleep->poller_found_work(poller);
    EXPECT_EQ(the_sleep->counts().parked, 1);
    return false;
  });
  sleep.found_work(self);
  EXPECT_EQ(sleep.counts().parked, 0);
  EXPECT_EQ(sleep.counts().searching, 1);
  sleep.wait_parked(parked);
}

TEST_F(ReserveTest, ClosingEmptiesIt) {
  sleep.close();
  sleep.found_work(self);
  EXPECT_EQ(starts, 0);
  sleep.open();
}

TEST_F(ReserveTest, AForkedProcessHasNone) {
  sleep.lock();
  sleep.forget_sleepers_locked();
  sleep.unlock();
  sleep.start_search();
  sleep.found_work(self);
  EXPECT_EQ(starts, 0);
}

// Workers search, find work and sleep at random while a thread attaches and detaches. Whenever all
// sleep and a thread is attached, one of them polls.
TEST_F(SleepTest, Stress) {
  constexpr int kWorkers = 4;
  Sleep sleep;
  std::array<Sleeper, kWorkers> sleepers;
  std::atomic<bool> stops{false};
  std::atomic<long> unwatched{0};
  std::vector<std::thread> workers;
  for (int w = 0; w < kWorkers; ++w)
    workers.emplace_back([&, w] {
      Sleeper &self = sleepers[static_cast<std::size_t>(w)];
      for (unsigned step = static_cast<unsigned>(w); !stops; ++step) {
        sleep.start_search();
        if (step % 3 == 0) {
          sleep.found_work(self);
          continue;
        }
        switch (sleep.go_idle(self)) {
          case Sleep::Next::kStop:
            return;
          case Sleep::Next::kPark:
            sleep.wait_parked(self);
            sleep.found_work(self);
            break;
          case Sleep::Next::kPoll:
            while (!stops) {
              sleep.wait_polling(self, std::chrono::microseconds(50));
              if (sleep.poller_may_park(self)) {
                sleep.wait_parked(self);
                sleep.found_work(self);
                break;
              }
              if (step % 2 == 0) {
                sleep.poller_found_work(self);
                break;
              }
              ++step;
            }
            if (stops) return;
            break;
        }
      }
    });
  long times_all_parked = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  for (int round = 0; std::chrono::steady_clock::now() < end; ++round) {
    times_all_parked += sleep.counts().parked == kWorkers;
    sleep.attached();
    const nopal::SleepCounts counts = sleep.counts();
    if (counts.parked == kWorkers) ++unwatched;  // attached() itself must have woken one
    if (round % 8 == 0) std::this_thread::yield();
    sleep.detached();
    if (round % 64 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  stops = true;
  sleep.close();
  for (std::thread &worker : workers) worker.join();
  EXPECT_EQ(unwatched, 0);
  EXPECT_GT(times_all_parked, 0) << "the interesting case did not come up";
}

}  // namespace
