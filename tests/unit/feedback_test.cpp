// Parallelism feedback in the runtime: how a quantum's figures change the desire. The rule itself:
// policy_feedback_test.cpp.
#include "idle/feedback.h"

#include <cilk/cilk_api.h>

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace {

using nopal::Feedback;
using nopal::Usage;

constexpr std::uint64_t kQuantum = 1'000'000;

/// A process with made-up figures.
class FeedbackTest : public testing::Test {
 protected:
  /// A quantum in which `working` workers worked on `processors` processors, and `searching` others
  /// searched.
  void pass(double working, double processors, double searching = 0) {
    usage.now_ns += kQuantum;
    usage.late_ns = feedback.late_ns();
    usage.searching_ns += static_cast<std::uint64_t>(searching * kQuantum);
    usage.working_ns += static_cast<std::uint64_t>(working * kQuantum);
    usage.used_ns += static_cast<std::uint64_t>(std::min(working, processors) * kQuantum);
    feedback.end_quantum_if_over(usage.now_ns, [this] {
      ++asked;
      return usage;
    });
  }

  Usage usage{.now_ns = 5 * kQuantum};
  int asked = 0;
  Feedback feedback{{.delta = 0.8, .rho = 2, .quantum_ns = kQuantum}, 8};
};

TEST_F(FeedbackTest, BeginsWithAllAndNeedsAQuantumToCompareWith) {
  EXPECT_EQ(feedback.desire(), 8u);
  pass(0, 0);
  EXPECT_EQ(feedback.desire(), 8u);
}

TEST(FeedbackDeathTest, NoMoreAreActiveThanThereAreProcessors) {
  EXPECT_EXIT(
      {
        setenv("CILK_NWORKERS", "4096", 1);
        setenv("CILK_ADAPT", "1", 1);
        __cilkrts_init();
        _exit(nopal::feedback()->desire() == nopal::config().processors ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(FeedbackTest, ASerialPhaseBringsItToOneAndAParallelOneBack) {
  pass(8, 8);
  for (int i = 0; i < 3; ++i) pass(1, 1, feedback.desire() - 1);
  EXPECT_EQ(feedback.desire(), 1u);
  pass(1, 1);  // one was asked for and used: perhaps there is more
  EXPECT_EQ(feedback.desire(), 2u);
  pass(1, 1, 1);
  EXPECT_EQ(feedback.desire(), 1u);
  for (const std::uint32_t all : {2u, 4u, 8u, 8u}) {
    pass(feedback.desire(), feedback.desire());
    EXPECT_EQ(feedback.desire(), all);
  }
}

TEST_F(FeedbackTest, WaitingForAProcessorIsNoUse) {
  pass(8, 8);
  pass(8, 4);  // others have half of the machine
  EXPECT_EQ(feedback.desire(), 4u);
  pass(4, 4);
  EXPECT_EQ(feedback.desire(), 8u);
}

TEST_F(FeedbackTest, WorkersThatSleepAreNotGiven) {
  pass(8, 8);
  pass(1, 1);  // a serial phase, and the others have gone to sleep: nothing is wasted
  EXPECT_EQ(feedback.desire(), 8u);
  pass(5, 5, 1);  // they wake up one after the other
  EXPECT_EQ(feedback.desire(), 8u);
  pass(5, 5, 3);  // but now three have searched all the time
  EXPECT_EQ(feedback.desire(), 4u);
}

TEST_F(FeedbackTest, PollerThatComesTooLateCountsIfFewerCanDoTheWork) {
  pass(8, 8);
  feedback.came_too_late(3 * kQuantum);
  pass(5, 5);
  EXPECT_EQ(feedback.desire(), 8u) << "four could not";
  feedback.came_too_late(3 * kQuantum);
  pass(4, 4);
  EXPECT_EQ(feedback.desire(), 8u) << "four of five given: one has waited for a quantum at most";
  for (const std::uint32_t enough : {4u, 2u}) {
    pass(enough, enough, enough);
    ASSERT_EQ(feedback.desire(), enough);
  }
  feedback.came_too_late(kQuantum * 3 / 4);  // regions too short for it
  pass(1, 1);
  EXPECT_EQ(feedback.desire(), 1u);
}

TEST_F(FeedbackTest, AsksOnceAQuantum) {
  pass(8, 8);
  EXPECT_EQ(asked, 1);
  feedback.end_quantum_if_over(usage.now_ns + kQuantum - 1, [this] {
    ++asked;
    return usage;
  });
  EXPECT_EQ(asked, 1);
}

}  // namespace
