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
          .used_ns = 1'000ull * std::min(allotted, parallelism)};
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

}  // namespace
