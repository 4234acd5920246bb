// The processor that a sleeping thread excludes: it is restored, and changes of the thread's
// affinity by others are kept.
#include "platform/affinity_hint.h"
#include "idle/sleep.h"

#include <gtest/gtest.h>

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace {

using nopal::AffinityHint;

cpu_set_t affinity(pthread_t thread) {
  cpu_set_t set;
  EXPECT_EQ(pthread_getaffinity_np(thread, sizeof set, &set), 0);
  return set;
}

void confine(pthread_t thread, const cpu_set_t &set) {
  ASSERT_EQ(pthread_setaffinity_np(thread, sizeof set, &set), 0);
}

cpu_set_t only(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return set;
}

cpu_set_t without(cpu_set_t set, int processor) {
  CPU_CLR(processor, &set);
  return set;
}

/// A thread that does nothing, and two processors where it may run. This thread's affinity is as
/// before in the end.
class AffinityHintTest : public testing::Test {
 protected:
  AffinityHintTest() {
    for (int processor = 0; processor < CPU_SETSIZE; ++processor)
      if (CPU_ISSET(processor, &all)) (first < 0 ? first : second) = processor;
  }
  ~AffinityHintTest() override {
    is_over = true;
    is_over.notify_all();
    thread.join();
    confine(pthread_self(), all);
  }
  void SetUp() override {
    if (second < 0) GTEST_SKIP() << "one processor";
  }

  cpu_set_t all = affinity(pthread_self());
  int first = -1, second = -1;
  std::atomic<bool> is_over{false};
  std::thread thread{[this] { is_over.wait(false); }};
  pthread_t id = thread.native_handle();
  AffinityHint hint;
};

bool equal(const cpu_set_t &left, const cpu_set_t &right) { return CPU_EQUAL(&left, &right); }

TEST_F(AffinityHintTest, ExcludesOneProcessorAndRestoresIt) {
  for (int round = 0; round < 3;
       ++round) {  // the first time the system is asked what confines the thread
    hint.exclude(id, first);
    EXPECT_EQ(hint.excluded(), first);
    EXPECT_TRUE(equal(affinity(id), without(all, first)));
    hint.restore(id, -1);
    EXPECT_EQ(hint.excluded(), -1);
    EXPECT_TRUE(equal(affinity(id), all));
  }
}

TEST_F(AffinityHintTest, ExcludesAnotherInstead) {
  hint.exclude(id, first);
  hint.exclude(id, second);
  EXPECT_EQ(hint.excluded(), second);
  EXPECT_TRUE(equal(affinity(id), without(all, second)));
  hint.restore(id, -1);
  EXPECT_TRUE(equal(affinity(id), all));
}

TEST_F(AffinityHintTest, ItsOnlyProcessorIsNotExcluded) {
  confine(id, only(first));
  hint.exclude(id, first);
  EXPECT_EQ(hint.excluded(), -1);
  hint.exclude(id, second);  // where it may not run anyway
  EXPECT_EQ(hint.excluded(), -1);
  hint.restore(id, -1);
  EXPECT_TRUE(equal(affinity(id), only(first)));
}

TEST_F(AffinityHintTest, AThreadThatIsConfinedStaysSo) {
  cpu_set_t two = only(first);
  CPU_SET(second, &two);
  confine(id, two);
  for (int round = 0; round < 2; ++round) {
    hint.exclude(id, first);
    EXPECT_TRUE(equal(affinity(id), only(second)));
    hint.restore(id, -1);
    EXPECT_TRUE(equal(affinity(id), two));
  }
}

TEST_F(AffinityHintTest, AnotherAffinityThatWasSetMeanwhileIsKept) {
  hint.exclude(id, first);
  confine(id, only(first));
  hint.restore(id, -1);
  EXPECT_TRUE(equal(affinity(id), only(first)));
}

// As by taskset --all-tasks, which by chance sets the affinity that we had set.
TEST_F(AffinityHintTest, TheSameAffinityOfTheWholeProcessIsKept) {
  hint.exclude(id, first);
  const cpu_set_t others = without(all, first);
  confine(id, others);
  confine(pthread_self(), others);  // this is the first thread
  ASSERT_EQ(getpid(), gettid());
  hint.restore(id, -1);
  EXPECT_TRUE(equal(affinity(id), others));
  hint.exclude(id, first);  // where it may not run
  EXPECT_EQ(hint.excluded(), -1);
}

// A sleeper excludes the processor where it was woken last, and restores it when it has found work.
TEST_F(AffinityHintTest, ASleeperExcludesItsWakersProcessor) {
  nopal::Sleep sleep;
  nopal::Sleeper sleeper;
  std::atomic<int> sleeps{0}, detaches{0};
  std::thread worker([&] {
    for (;;) {
      while (detaches < sleeps) std::this_thread::yield();  // else it would poll
      sleep.start_search();
      const nopal::Sleep::Next next = sleep.go_idle(sleeper);
      if (next == nopal::Sleep::Next::kStop) {
        EXPECT_TRUE(equal(affinity(pthread_self()), all));
        break;
      }
      EXPECT_EQ(next, nopal::Sleep::Next::kPark);
      ++sleeps;
      sleep.wait_parked(sleeper);
      sleep.found_work(sleeper);
      EXPECT_TRUE(equal(affinity(pthread_self()), all));
    }
  });
  const pthread_t its_id = worker.native_handle();
  confine(pthread_self(), only(second));
  constexpr int kRounds =
      40;  // of which every second one is after a long sleep, where the waker puts back
  for (int round = 1; round <= kRounds; ++round) {
    while (sleeps < round) std::this_thread::yield();
    if (round > 1) EXPECT_TRUE(equal(affinity(its_id), without(all, second)));
    if (round % 2 != 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    sleep.attached();
    sleep.detached();
    ++detaches;
  }
  while (sleeps <= kRounds) std::this_thread::yield();
  ++detaches;
  sleep.close();
  worker.join();
}

// Threads that work creates inherit the thread's affinity. So work waits for a waker that has not
// restored it yet.
TEST(SleeperTest, WorkBeginsAfterItsWakersLastCall) {
  nopal::Sleep sleep;
  nopal::Sleeper sleeper;
  std::atomic<bool> has_begun{false};
  std::thread waker([&] {
    const std::lock_guard lock(sleeper.processors);
    sleeper.is_being_restored = true;
    has_begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    sleeper.is_being_restored = false;
  });
  while (!has_begun) std::this_thread::yield();
  sleep.start_search();
  sleep.found_work(sleeper);
  EXPECT_FALSE(sleeper.is_being_restored);
  waker.join();
}

}  // namespace
