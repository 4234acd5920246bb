// Workers that are idle for a while: a push calls the poller, and the continuation is stolen. A
// worker that has just become idle yields. Who was idle for long searches for a short time.
#include "fixture.h"

#include "../../runtime/src/worker/chaos.h"
#include "../../runtime/src/worker/registry.h"
#include "../../runtime/src/worker/thread.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

namespace {

/// Records the next sched_yield() of the thread that runs `worker`.
struct Listener {
  const nopal::Worker *worker = nullptr;
  std::uint64_t attempts_before = 0;
  std::uint64_t attempts = 0;  // that the worker had made
  std::atomic<bool> has_heard{false};
};
Listener heard;  // static: the thread may come late
thread_local bool listens = false;

}  // namespace

/// Replaces the system's for the runtime too.
extern "C" int sched_yield() noexcept {
  if (std::exchange(listens, false)) {
    heard.attempts = heard.worker->counters.attempts.read();
    heard.has_heard.store(true);
  }
  return static_cast<int>(syscall(SYS_sched_yield));
}

namespace stress {
namespace {

using IdleTest = Stress;

TEST_F(IdleTest, APushCallsThePoller) {
  fib(5);
  if (nopal::worker_count() < 2 || nopal::helper_thread_count() == 0)
    GTEST_SKIP() << "nobody is there to poll";
  const std::uint64_t before = nopal::sleep().calls();
  for (long call = repetitions(20); call > 0;) {
    ASSERT_TRUE(wait_until([] { return nopal::sleep().waits_for_call(); }, kLongEnough));
    const std::uint64_t so_far = nopal::sleep().calls();
    spawn_loop(0, 1, [](long) {});
    call -= static_cast<long>(nopal::sleep().calls() -
                              so_far);  // the poller may have looked by itself just then
  }
  EXPECT_GE(nopal::sleep().calls() - before, 20u);
}

// All workers meet in a loop, repeatedly, each time after a different pause.
TEST_F(IdleTest, AllWorkersComeAfterAPause) {
  for (long round = repetitions(30); round > 0; --round) {
    std::this_thread::sleep_for(std::chrono::microseconds((round % 10) * (round % 10) * 100));
    meet(static_cast<long>(nopal::worker_count()));
  }
}

// A thread that attaches for its first spawn while the poller sleeps.
TEST_F(IdleTest, AThreadThatAttachesCalls) {
  fib(5);
  if (nopal::worker_count() < 2 || nopal::helper_thread_count() == 0)
    GTEST_SKIP() << "nobody is there to poll";
  for (long call = repetitions(10); call > 0;) {
    ASSERT_TRUE(wait_until([] { return nopal::sleep().waits_for_call(); }, kLongEnough));
    const std::uint64_t so_far = nopal::sleep().calls();
    std::thread([] { spawn_loop(0, 1, [](long) {}); }).join();
    call -= static_cast<long>(nopal::sleep().calls() - so_far);
  }
}

// All workers have a child, and one child ends. Its worker yields before it tries a victim if the
// others can keep all processors busy, else after. (Without new threads there are no steals, so
// without_threads leaves out tests with AllWorkers in their names.)
TEST_F(IdleTest, AThiefYieldsFirstWhileAllWorkersWork) {
  const unsigned workers = nopal::worker_count();
  if (workers < 2) GTEST_SKIP() << "there is no thief";
  if (nopal::chaos::is_on()) GTEST_SKIP() << "with chaos a child may begin before the others have";
  if (nopal::config().adapt != nopal::Config::Adapt::kNo)
    GTEST_SKIP() << "with feedback it may not try at all";
  heard.has_heard = false;
  spawn_loop(0, workers, [&](long child) {
    if (child == static_cast<long>(workers) - 1) {
      heard.worker = &nopal::this_worker();
      nopal::this_worker().yields_again_ns = 0;  // others may have had its processor before
      heard.attempts_before = heard.worker->counters.attempts.read();
      listens = true;
      return;
    }
    const auto begun = std::chrono::steady_clock::now();
    while (!heard.has_heard && std::chrono::steady_clock::now() - begun < std::chrono::seconds(20))
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  });
  ASSERT_TRUE(heard.has_heard);
  if (workers > nopal::config().processors)
    EXPECT_EQ(heard.attempts, heard.attempts_before);
  else
    EXPECT_GT(heard.attempts, heard.attempts_before);
}

/// Attempts of all workers while nothing is to be had for so long, twice. All meet in between.
std::uint64_t attempts_in_two_pauses(std::chrono::microseconds pause) {
  const auto attempts = [] {
    std::uint64_t sum = 0;
    for (std::uint32_t index = 0; index < nopal::registry().count(); ++index)
      sum += nopal::registry().worker(index).counters.attempts.read();
    return sum;
  };
  std::uint64_t result = 0;
  for (int round = 0; round < 2; ++round) {
    const std::uint64_t before = attempts();
    std::this_thread::sleep_for(pause);
    result += attempts() - before;
    meet(static_cast<long>(nopal::worker_count()));
  }
  return result;
}

// A long search pays in pauses of 0.3 ms. In pauses of 3 ms it has not, so after two of them
// searches are short.
TEST_F(IdleTest, LongPausesMakeSearchesShort) {
  fib(5);
  if (nopal::worker_count() < 2 || nopal::helper_thread_count() == 0)
    GTEST_SKIP() << "nobody is there to search";
  if (nopal::worker_count() > nopal::config().processors)
    GTEST_SKIP() << "searches are short in any case";
  if (nopal::chaos::is_on() || nopal::config().adapt != nopal::Config::Adapt::kNo)
    GTEST_SKIP() << "searches are short, or there are none, in any case";
  std::uint64_t at_first = 0, then = 0;
  const auto ten_rounds = [&] {  // afresh: other programs may have had the processor
    constexpr std::chrono::milliseconds kLong{3};
    at_first = then = 0;
    for (int round = 0; round < 10; ++round) {
      attempts_in_two_pauses(std::chrono::microseconds(300));
      at_first += attempts_in_two_pauses(kLong);
      then += attempts_in_two_pauses(kLong);
    }
  };
  EXPECT_TRUE(wait_until([&] { return 2 * then < at_first; }, std::chrono::seconds(60), ten_rounds))
      << at_first << " attempts at first, then " << then;
}

}  // namespace
}  // namespace stress
