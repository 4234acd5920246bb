// A-STEAL: the desire grows while the workers are used, shrinks when they are not, and stays when
// fewer workers were granted than desired.
#include <gtest/gtest.h>

#include "policy/a_steal.h"

namespace {

using nopal::policy::ASteal;
using nopal::policy::Quantum;

/// A quantum in which `parallelism` workers at most have work, of `available`.
Quantum quantum(const ASteal &feedback, std::uint32_t parallelism, std::uint32_t available) {
  const std::uint32_t allotted = std::min(feedback.desire(), available);
  return {.desire = feedback.desire(),
          .allotted = allotted,
          .given_ns = 1'000ull * allotted,
          .used_ns = 1'000ull * std::min(allotted, parallelism),
          .length_ns = 1'000};
}

/// Of `all`, the quanta with a desire of more than one worker if two do `rate` times one's work.
int quanta_with_two(ASteal feedback, double rate, int all) {
  int with_two = 0;
  for (int q = 0; q < all; ++q) {
    const bool has_two = feedback.desire() > 1;
    with_two += has_two;
    feedback.next_desire({.desire = feedback.desire(),
                          .allotted = feedback.desire(),
                          .given_ns = 1'000ull * feedback.desire(),
                          .used_ns = static_cast<std::uint64_t>(1'000 * (has_two ? rate : 1)),
                          .length_ns = 1'000});
  }
  return with_two;
}

TEST(AStealTest, DoublesUpToAllWhileEfficient) {
  ASteal feedback({}, 48);
  for (const std::uint32_t wanted : {2u, 4u, 8u, 16u, 32u, 48u, 48u})
    EXPECT_EQ(feedback.next_desire(quantum(feedback, 100, 100)), wanted);
}

TEST(AStealTest, HalvesDownToOneWhileInefficient) {
  ASteal feedback({}, 64);
  for (int i = 0; i < 6; ++i) feedback.next_desire(quantum(feedback, 100, 100));
  for (const std::uint32_t wanted : {32u, 16u, 8u, 4u, 2u, 1u, 2u})
    EXPECT_EQ(feedback.next_desire(quantum(feedback, 1, 100)), wanted);
}

TEST(AStealTest, KeepsItsDesireWhileDeprived) {
  ASteal feedback({}, 64);
  for (int i = 0; i < 3; ++i) feedback.next_desire(quantum(feedback, 100, 100));
  EXPECT_EQ(feedback.desire(), 8u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(feedback.next_desire(quantum(feedback, 100, 5)), 8u);
}

TEST(AStealTest, WasteIsWithinItsBound) {
  // With parallelism that changes all the time: waste / work <= (1 + rho - delta) / delta, plus a
  // quantum.
  ASteal feedback({}, 256);
  std::uint64_t work = 0, waste = 0;
  for (std::uint32_t q = 0; q < 10'000; ++q) {
    const Quantum last = quantum(feedback, q / 7 % 2 ? 200 : 1 + q % 3, 256);
    work += last.used_ns;
    waste += last.given_ns - last.used_ns;
    feedback.next_desire(last);
  }
  const auto p = feedback.parameters();
  EXPECT_LE(static_cast<double>(waste),
            (1 + p.rho - p.delta) / p.delta * static_cast<double>(work) + 256'000);
  EXPECT_GT(waste, 0u);
}

TEST(AStealTest, PutsAGrowthOffThatBroughtNextToNothing) {
  const ASteal::Parameters patient{.longest_wait = 16};
  EXPECT_EQ(quanta_with_two(ASteal({}, 2), 1.07, 400), 200);
  EXPECT_LT(quanta_with_two(ASteal(patient, 2), 1.07, 400), 30);
  // Not one that the workers did not use well, but that did more in a time.
  EXPECT_EQ(quanta_with_two(ASteal(patient, 2), 1.4, 400), 200);
}

TEST(AStealTest, PutsOffForSoLongAtMostAndThenDoubles) {
  ASteal feedback({.longest_wait = 16}, 32);
  for (int q = 0; q < 200; ++q) feedback.next_desire(quantum(feedback, 1, 32));
  int waited = 0;
  while (feedback.next_desire(quantum(feedback, 32, 32)) == 1) ++waited;
  EXPECT_LE(waited, 16);
  for (const std::uint32_t wanted : {4u, 8u, 16u, 32u})
    EXPECT_EQ(feedback.next_desire(quantum(feedback, 32, 32)), wanted);
}

TEST(AStealTest, BeginsAgainAfterAGrowthThatWasUsed) {
  ASteal feedback({.longest_wait = 16}, 2);
  for (int q = 0; q < 200; ++q) feedback.next_desire(quantum(feedback, 1, 2));
  for (int q = 0; q < 40; ++q) feedback.next_desire(quantum(feedback, 2, 2));
  for (const std::uint32_t wanted : {1u, 2u, 1u, 1u, 2u})
    EXPECT_EQ(feedback.next_desire(quantum(feedback, 1, 2)), wanted);
}

TEST(AStealTest, PutsOffNoGrowthToWhatWasUsed) {
  ASteal feedback({.longest_wait = 16}, 8);
  for (int q = 0; q < 200; ++q) feedback.next_desire(quantum(feedback, 2, 8));
  while (feedback.desire() > 1) feedback.next_desire(quantum(feedback, 0, 8));
  EXPECT_EQ(feedback.next_desire(quantum(feedback, 2, 8)), 2u);
}

}  // namespace
