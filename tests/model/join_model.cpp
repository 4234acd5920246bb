// All schedules of a frame's children and its sync on the shipped join. Roles: join_scenario.h.
#include "join_scenario.h"

#include <gtest/gtest.h>

namespace nopal::model {
namespace {

void explore(int steals, const char *throwing) {
  const Outcome outcome = JoinScenario<ModelAtoms>(steals, throwing).explore();
  EXPECT_FALSE(outcome.violated) << outcome.what;
  std::printf("%llu states, %llu runs\n", static_cast<unsigned long long>(outcome.states),
              static_cast<unsigned long long>(outcome.runs));
}

TEST(JoinModel, OneChildAndTheSync) { explore(1, ".."); }
TEST(JoinModel, TwoChildrenAndTheSync) { explore(2, "..."); }
TEST(JoinModel, ThreeChildrenAndTheSync) { explore(3, "...."); }
TEST(JoinModel, ChildThrows) { explore(1, "T."); }
TEST(JoinModel, ContinuationThrows) { explore(1, ".T"); }
TEST(JoinModel, ChildAndContinuationThrow) { explore(1, "TT"); }
TEST(JoinModel, ChildrenThrow) { explore(2, "TT."); }
TEST(JoinModel, AllThrow) { explore(2, "TTT"); }
TEST(JoinModel, TwoOfThreeChildrenThrow) { explore(3, "T.T."); }

}  // namespace
}  // namespace nopal::model
