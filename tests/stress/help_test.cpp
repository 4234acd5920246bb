// An attached thread that waits for a frame helps the workers that run its continuation
// (scheduler/suspend.h). Its floating point state and exceptions stay its own.
#include "fixture.h"

#include <atomic>
#include <cfenv>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace stress {
namespace {

using Clock = std::chrono::steady_clock;

class HelpTest : public Stress {
 protected:
  void SetUp() override {
    if (nopal::config().nworkers < 2 || nopal::config().chaos.enabled)
      GTEST_SKIP() << "needs a thief, and no chaos: there nobody waits";
  }
};

/// A frame whose child ends when its continuation is stolen, and whose continuation is a loop of
/// `length` spawns of `body`. Returns whether the calling thread ran one of them. It can do so only
/// while it waits, since the first spawn comes after the steal, on the thief.
template <class Body>
bool waits_for_a_loop(long length, Body body) {
  const std::thread::id self = std::this_thread::get_id();
  std::atomic<bool> stolen{false}, helped{false};
  const auto begun = Clock::now();
  spawn_and_continue(
      [&] {
        while (!stolen && Clock::now() - begun < std::chrono::seconds(2)) std::this_thread::yield();
      },
      [&] {
        if (std::this_thread::get_id() == self) return;  // not stolen in two seconds
        stolen = true;
        spawn_loop(0, length, [&](long i) {
          if (std::this_thread::get_id() == self) helped = true;
          body(i);
        });
      });
  EXPECT_EQ(std::this_thread::get_id(), self);
  return helped;
}

TEST_F(HelpTest, AThreadHelpsWhileItWaits) {
  bool has_helped = false;
  for (const auto end = Clock::now() + std::chrono::seconds(60); !has_helped && Clock::now() < end;)
    has_helped = waits_for_a_loop(200, [](long) { work_for(std::chrono::microseconds(20)); });
  EXPECT_TRUE(has_helped);
}

// Helpers' bodies change the rounding mode for themselves, raise sticky flags, throw, catch, and
// spawn below.
TEST_F(HelpTest, TheThreadComputesAsBefore) {
  long helped = 0;
  std::atomic<long> wrong{0};
  std::thread([&] {
    std::fesetround(FE_UPWARD);
    std::feclearexcept(FE_ALL_EXCEPT);
    std::feraiseexcept(FE_INVALID);
    try {
      throw std::runtime_error("kept");
    } catch (const std::exception &) {
      for (long i = repetitions(100); i > 0; --i) {
        helped += waits_for_a_loop(50, [&](long) {
          if (std::fegetround() != FE_UPWARD) ++wrong;
          if (std::current_exception() != nullptr)
            ++wrong;  // a handler of its own stack there is none
          try {
            spawn_loop(0, 3, [](long k) {
              work_for(std::chrono::microseconds(3));
              if (k == 1) throw k;
            });
            ++wrong;
          } catch (long k) {
            if (k != 1) ++wrong;
          }
          std::feraiseexcept(FE_DIVBYZERO);
        });
        if (std::fegetround() != FE_UPWARD || !std::fetestexcept(FE_INVALID)) ++wrong;
        const std::exception_ptr current = std::current_exception();
        if (current == nullptr) {
          ++wrong;
          continue;
        }
        try {
          std::rethrow_exception(current);
        } catch (const std::exception &again) {
          if (std::string(again.what()) != "kept") ++wrong;
        }
      }
    }
  }).join();
  EXPECT_EQ(wrong, 0);
  RecordProperty("helped", std::to_string(helped));
}

// The thread's part joins last at a frame whose stack was suspended meanwhile. Another thread
// continues that frame.
TEST_F(HelpTest, AFrameThatTheThreadJoinsGoesOnOnAnotherThread) {
  const std::thread::id self = std::this_thread::get_id();
  long helped = 0;
  for (const auto end = Clock::now() + std::chrono::seconds(60);
       helped < 5 && Clock::now() < end;) {
    std::atomic<bool> is_outer_stolen{false}, is_inner_stolen{false};
    std::thread::id child, inner, after;
    const auto wait_for = [](std::atomic<bool> &flag) {
      for (const auto begun = Clock::now();
           !flag && Clock::now() - begun < std::chrono::milliseconds(200);)
        std::this_thread::yield();
    };
    spawn_and_continue(
        [&] { wait_for(is_outer_stolen); },
        [&] {
          is_outer_stolen = true;
          spawn_and_continue(
              [&] {
                child = std::this_thread::get_id();
                wait_for(is_inner_stolen);
              },
              [&] {
                is_inner_stolen = true;
                inner = std::this_thread::get_id();
                work_for(std::chrono::milliseconds(5));  // until the child has left its stack
              });
          after = std::this_thread::get_id();
        });
    ASSERT_EQ(std::this_thread::get_id(), self);
    ASSERT_TRUE(inner != self || child == self || after != self);
    // Else another took it, or nobody, or the child was still looking: then it goes on itself.
    // Where there are no segments the child waited on its thread's own stack, and went on there.
    const bool is_moved = after != child || cactus::accounting().peak_reserved == 0;
    if (inner == self && child != self && is_moved) ++helped;
  }
  EXPECT_EQ(helped, 5)
      << "the thread ran the inner continuation, and a third one what is after its sync";
}

// A thread that helps may not do what a helper thread may not, since a helper may wait for the same
// frame.
TEST_F(HelpTest, AThreadThatHelpsCannotStopTheRuntime) {
  std::atomic<bool> has_asked{false}, has_stopped{false};
  for (const auto end = Clock::now() + std::chrono::seconds(60);
       !has_asked && Clock::now() < end;) {
    const std::thread::id self = std::this_thread::get_id();
    waits_for_a_loop(100, [&](long) {
      work_for(std::chrono::microseconds(20));
      if (std::this_thread::get_id() != self || has_asked.exchange(true)) return;
      if (nopal::stop()) has_stopped = true;
    });
  }
  EXPECT_TRUE(has_asked);
  EXPECT_FALSE(has_stopped);
}

// Trees with leaves of all lengths. Any thread may join a frame last, also the thread that helps,
// which must not leave its stack.
TEST_F(HelpTest, TreesOfAllLeaves) {
  for (long i = repetitions(30); i > 0; --i) {
    std::atomic<long> leaves{0};
    std::function<void(long, unsigned)> tree = [&](long depth, unsigned seed) {
      if (depth == 0) {
        work_for(std::chrono::microseconds((seed * 2654435761u >> 20) % 24));
        ++leaves;
        return;
      }
      spawn_and_continue([&, depth, seed] { tree(depth - 1, 2 * seed); },
                         [&, depth, seed] { tree(depth - 1, 2 * seed + 1); });
    };
    tree(7, static_cast<unsigned>(i));
    ASSERT_EQ(leaves, 128);
  }
}

}  // namespace
}  // namespace stress
