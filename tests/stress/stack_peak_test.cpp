// CILK_STACK_PEAK=exact reaches cactus-stack: all stacks are measured before each decommit. Other
// runs skip this.
#include "fixture.h"

#include <cilk/statistics.h>

namespace stress {
namespace {

using StackPeakTest = Stress;

TEST_F(StackPeakTest, ExactMeasuresBeforeEachDecommit) {
  if (nopal::config().stack_peak != nopal::Config::StackPeak::kExact)
    GTEST_SKIP() << "for CILK_STACK_PEAK=exact";
  EXPECT_EQ(fib(15), serial_fib(15));
  const cilk::segment_statistics segments = cilk::read_statistics().segments;
  EXPECT_GT(segments.decommits, 10u) << "then there is little to see";
  EXPECT_GE(segments.measurements, segments.decommits);
}

}  // namespace
}  // namespace stress
