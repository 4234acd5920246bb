// All schedules of the strands of a frame that end with views: the shipped runs on the shipped
// join. Roles: runs_scenario.h.
#include "runs_scenario.h"

#include <gtest/gtest.h>

namespace nopal::model {
namespace {

void explore(const char *strands) {
  const Outcome outcome = RunsScenario<ModelAtoms>(strands).explore();
  EXPECT_FALSE(outcome.violated) << outcome.what;
  std::printf("%llu states, %llu runs\n", static_cast<unsigned long long>(outcome.states),
              static_cast<unsigned long long>(outcome.runs));
}

TEST(RunsModel, OneSteal) { explore("VV"); }
TEST(RunsModel, TwoSteals) { explore("VVV"); }
TEST(RunsModel, ThreeViewsInTheList) { explore("VVVV"); }
TEST(RunsModel, OneWithoutViewsBetween) { explore("VV.V"); }
TEST(RunsModel, BothOfTwoThrow) { explore("VTT"); }
TEST(RunsModel, TheFirstStrandThrows) { explore("TVV"); }
TEST(RunsModel, TheContinuationThrows) { explore("VVT"); }
TEST(RunsModel, TheSecondThrows) { explore("VTV"); }
TEST(RunsModel, OneWithoutViewsThrows) { explore("VCV"); }
TEST(RunsModel, GapsBeforeTheFirstView) { explore("--VV"); }
TEST(RunsModel, AGapBetweenViews) { explore("VV-V"); }
TEST(RunsModel, AThrowBeforeTheFirstView) { explore("-CV"); }

// `ctest -C long -R model.large`.
TEST(LargeRunsModel, TheSecondThrows) { explore("VTVV"); }
TEST(LargeRunsModel, TwoThrow) { explore("VTTV"); }
TEST(LargeRunsModel, OneWithoutViewsThrows) { explore("VCVV"); }
TEST(LargeRunsModel, AThrowBeforeTheFirstView) { explore("-CVV"); }

}  // namespace
}  // namespace nopal::model
