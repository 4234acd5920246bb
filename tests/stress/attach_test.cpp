// Threads of the program: several attached at once, coming and going; stop and restart; floating point.
#include "fixture.h"

#include <atomic>
#include <cfenv>
#include <thread>
#include <vector>

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

TEST_F(AttachTest, ComeAndGo) {
  const unsigned before = nopal::slot_count();
  for (long i = repetitions(50); i > 0; --i) std::thread([] { EXPECT_EQ(fib(8), 21); }).join();
  EXPECT_LE(nopal::slot_count(), before + nopal::worker_count() + 1) << "slots are used again";
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
  EXPECT_EQ(nopal::helper_thread_count(), nopal::worker_count() - 1);
}

// The rounding mode of the thread that spawns is that of all its work.
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

} // namespace
} // namespace stress
