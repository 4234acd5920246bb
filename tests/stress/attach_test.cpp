// Threads of the program: several attached at once, coming and going; stop and restart; floating
// point.
#include "fixture.h"

#include "../../runtime/src/worker/registry.h"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

namespace stress {
namespace {

using AttachTest = Stress;

TEST_F(AttachTest, AThreadReturnsToItself) {
  for (long i = repetitions(20); i > 0; --i) {
    const std::thread::id before = std::this_thread::get_id();
    EXPECT_EQ(fib(12), 144);
    ASSERT_EQ(std::this_thread::get_id(), before);
  }
}

TEST_F(AttachTest, SeveralAtOnce) {
  constexpr int kThreads = 4;
  std::atomic<long> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&wrong, t] {
      for (long i = repetitions(10); i > 0; --i)
        if (fib(14 + t) != serial_fib(14 + t)) ++wrong;
    });
  EXPECT_EQ(fib(18), serial_fib(18));
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(AttachTest, ThreadsThatSpawnForEverHoldUpNoOther) {
  std::atomic<bool> is_done{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&is_done] {
      while (!is_done) fib(10);
    });
  EXPECT_EQ(fib(17), 1597);
  is_done = true;
  for (std::thread &thread : threads) thread.join();
}

// Each child waits for what a thread posts that spawns itself.
TEST_F(AttachTest, ChildrenThatBlockHoldUpNoOther) {
  for (long i = repetitions(4); i > 0; --i) {
    constexpr long kChildren = 50;
    std::counting_semaphore<kChildren> posts(0);
    std::thread thread([&posts] {
      for (long child = 0; child < kChildren; ++child) {
        EXPECT_EQ(fib(10), 55);
        posts.release();
      }
    });
    spawn_loop(0, kChildren, [&posts](long) { posts.acquire(); });
    thread.join();
  }
}

// Workers from 1,024 on own nothing (policy/README.md), but others take their work, and they
// others'. Seconds, so once, by CMakeLists.txt.
TEST_F(AttachTest, DISABLED_MoreThanOwnWork) {
  constexpr long kThreads = 1'100;
  std::latch attached(kThreads);
  std::vector<std::thread> threads;
  for (long t = 0; t < kThreads; ++t)
    threads.emplace_back([&attached] {
      EXPECT_EQ(fib(4), 3);
      attached.arrive_and_wait();
      EXPECT_EQ(fib(9), 34);
    });
  for (std::thread &thread : threads) thread.join();
}

TEST_F(AttachTest, ComeAndGo) {
  const unsigned before = nopal::workers_made();
  for (long i = repetitions(50); i > 0; --i) std::thread([] { EXPECT_EQ(fib(8), 21); }).join();
  EXPECT_LE(nopal::workers_made(), before + nopal::worker_count() + 1) << "slots are used again";
}

TEST_F(AttachTest, AForkedProcessHasNoOtherPaths) {
  std::latch attached(2), done(1);
  std::thread other([&] {
    EXPECT_EQ(fib(4), 3);
    attached.arrive_and_wait();
    done.wait();
  });
  EXPECT_EQ(fib(4), 3);
  attached.arrive_and_wait();
  const pid_t child = fork();
  if (child == 0) {
    const nopal::WorkerRegistry &all = nopal::registry();
    int others = 0;
    for (std::uint32_t i = 0; i < all.count(); ++i)
      if (&all.worker(i) != nopal::this_thread().worker)
        others += all.worker(i).own_mark().owner() != nopal::policy::kNobody;
    _exit(others);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  done.count_down();
  other.join();
}

TEST_F(AttachTest, StopAndRestart) {
  for (long i = repetitions(10); i > 0; --i) {
    EXPECT_EQ(fib(12), 144);
    ASSERT_TRUE(nopal::stop());
    ASSERT_EQ(nopal::helper_thread_count(), 0u);
    ASSERT_EQ(cactus::accounting().reserved, 0u);
  }
  EXPECT_EQ(fib(12), 144);
}

TEST_F(AttachTest, StopWhileAnotherIsAttached) {
  std::atomic<int> step{0};
  std::thread other([&step] {
    EXPECT_EQ(fib(5), 5);
    step = 1;
    step.notify_one();
    step.wait(1);
  });
  step.wait(0);
  EXPECT_FALSE(nopal::stop());
  step = 2;
  step.notify_one();
  other.join();
  EXPECT_TRUE(nopal::stop());
}

TEST_F(AttachTest, StartWithoutWork) {
  nopal::start();
  EXPECT_TRUE(nopal::is_started());
  EXPECT_EQ(nopal::helper_thread_count(), helpers_at_once());
}

// Workers beyond the number of processors start when all others work, and stay.
TEST_F(AttachTest, AllWorkersAreStartedInTheEnd) {
  const unsigned before = nopal::workers_made();
  meet(static_cast<long>(nopal::worker_count()));
  EXPECT_GE(nopal::helper_thread_count(),
            nopal::worker_count() - 1);  // more where some wait on their own stacks
  EXPECT_LE(nopal::workers_made(), std::max(before, nopal::worker_count()));
}

// A child stops the runtime and starts it again while its parent's continuation can be stolen: a
// helper may find it before the start is over.
TEST_F(AttachTest, AllWorkersComeAfterARestartWithinAChild) {
  const long workers = static_cast<long>(nopal::worker_count());
  const std::thread::id self = std::this_thread::get_id();
  for (long round = repetitions(100); round > 0; --round) {
    std::atomic<long> begun{0};
    std::atomic<bool> is_stopped{false}, is_too_late{false};
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    spawn_loop(0, 2, [&](long i) {
      if (i == 0 && std::this_thread::get_id() == self) is_stopped = nopal::stop();
      if (!is_stopped)
        is_too_late = true;  // the continuation was stolen before; or where it was not, nobody has
                             // stopped anything
      if (is_too_late) return;
      spawn_loop(0, i == 0 ? workers / 2 : workers - workers / 2, [&](long) {
        begun.fetch_add(1);
        while (begun.load() < workers && std::chrono::steady_clock::now() < patience)
          std::this_thread::yield();
      });
    });
    ASSERT_EQ(begun, is_too_late ? 0 : workers);
    ASSERT_LT(std::chrono::steady_clock::now(), patience) << "they came one after the other";
  }
}

// Two threads are attached all the time. All workers serve whichever of them has work, while the
// other one is serial.
TEST_F(AttachTest, AllWorkersComeToEachThreadInTurn) {
  std::atomic<long> turn{0};
  const long turns = repetitions(60);
  const auto take_turns = [&turn, turns](long self) {
    for (long next = self; next < turns; next += 2) {
      for (long now = turn; now != next; now = turn) turn.wait(now);
      meet(static_cast<long>(nopal::worker_count()));
      ++turn;
      turn.notify_all();
    }
  };
  std::thread other(take_turns, 1);
  take_turns(0);
  other.join();
}

TEST_F(AttachTest, NoWorkerNumberReachesTheNumberOfSlots) {
  std::atomic<int> step{0};
  std::thread other([&step] {
    fib(5);
    step = 1;
    step.notify_one();
    step.wait(1);
  });
  step.wait(0);
  fib(5);
  const unsigned most = nopal::most_workers();
  EXPECT_GE(most, nopal::worker_count() + 1);
  meet(static_cast<long>(nopal::worker_count()));
  EXPECT_LE(nopal::workers_made(), most) << "nobody has attached since";
  step = 2;
  step.notify_one();
  other.join();
}

/// Arenas of the C library's allocator, of which a thread gets one when it first allocates.
std::size_t arenas() {
  char *text = nullptr;
  std::size_t length = 0;
  std::FILE *const file = open_memstream(&text, &length);
  malloc_info(0, file);
  std::fclose(file);
  std::size_t found = 0;
  for (const char *at = text; (at = std::strstr(at, "<heap nr=")) != nullptr; ++at) ++found;
  std::free(text);
  return found;
}

// Also run alone (CMakeLists.txt), since threads of earlier tests may have left arenas.
TEST_F(AttachTest, HelpersAllocateNothing) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  if (nopal::worker_count() > helpers_at_once() + 1)
    GTEST_SKIP() << "helpers will create others, for which the C library allocates";
  const std::size_t before = arenas();
  ASSERT_GE(before, 1u);
  meet(static_cast<long>(nopal::worker_count()));
  EXPECT_EQ(arenas(), before);
}

// A helper that finds work while the runtime stops may start another.
TEST_F(AttachTest, StopWhileHelpersStartOthers) {
  for (long round = repetitions(100); round > 0; --round) {
    const std::thread::id self = std::this_thread::get_id();
    spawn_loop(0, 16, [&](long i) {
      if (i != 0) return work_for(std::chrono::microseconds(20));
      work_for(std::chrono::microseconds(round % 200));
      if (std::this_thread::get_id() != self || !nopal::stop())
        return;  // a helper, or we work for one while it waits
      EXPECT_EQ(nopal::helper_thread_count(), 0u);
    });
  }
}

// All work of a thread that spawns has the thread's rounding mode.
TEST_F(AttachTest, RoundingMode) {
  std::atomic<long> wrong{0};
  std::thread([&wrong] {
    std::fesetround(FE_UPWARD);
    for (long i = repetitions(5); i > 0; --i)
      spawn_loop(0, 500, [&wrong](long) {
        if (std::fegetround() != FE_UPWARD) ++wrong;
        fib(3);
        if (std::fegetround() != FE_UPWARD) ++wrong;
      });
  }).join();
  spawn_loop(0, 500, [&wrong](long) {
    if (std::fegetround() != FE_TONEAREST) ++wrong;
    fib(3);
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace stress
