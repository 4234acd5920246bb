// The default grain of a cilk_for: max(least, min(2048, n / (8 P))), for every number of workers.
#include "nopal_abi.h"

#include "config/config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace {

std::uint64_t specified(std::uint64_t count, std::uint64_t workers, std::uint64_t least) {
  return std::max(least, std::min<std::uint64_t>(2048, count / (8 * workers)));
}

class LoopGrain : public testing::Test {
 protected:
  void TearDown() override { nopal::set_nworkers(0); }
};

TEST_F(LoopGrain, IsAsSpecified) {
  for (const unsigned workers : {1u, 2u, 3u, 4u, 7u, 64u, 1000u, nopal::kMaxWorkers}) {
    ASSERT_TRUE(nopal::set_nworkers(workers));
    for (const std::uint64_t leaves : {std::uint64_t{1}, std::uint64_t{8} * workers})
      for (std::uint64_t grain = 0; grain <= 2050; ++grain)
        for (const std::uint64_t count :
             {leaves * grain, leaves * grain + 1, leaves * grain + leaves - 1})
          for (const std::uint64_t least :
               {std::uint64_t{1}, std::uint64_t{100}, std::uint64_t{1024}}) {
            const std::uint64_t expected = specified(count, workers, least),
                                found = nopal_loop_grain(count, least);
            ASSERT_EQ(found, expected)
                << count << " iterations, " << workers << " workers, at least " << least;
          }
  }
}

TEST_F(LoopGrain, SaysThatLeastCounts) {
  (void)nopal_loop_grain(100, 128);
  EXPECT_NE(nopal_least_counts, 0);  // in chaos it stays 0: tests/programs/language/loops_small.cpp
}

TEST_F(LoopGrain, LargestCounts) {
  constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t count :
       {largest, largest - 1, largest / 2, std::uint64_t{1} << 32, (std::uint64_t{1} << 32) - 1})
    EXPECT_EQ(nopal_loop_grain(count, 1024), 2048u) << count;
}

}  // namespace
