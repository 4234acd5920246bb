// All schedules of workers that go idle, find work and wake each other, and of threads that attach,
// on the shipped word of counts. Scripts: sleep_scenario.h.
#include "sleep_scenario.h"

#include <gtest/gtest.h>

namespace nopal::model {
namespace {

void explore(std::vector<std::string> scripts, int parked, int attached, bool are_many = false) {
  std::string shown;
  for (const std::string &script : scripts) shown += script + "|";
  const Outcome outcome =
      SleepScenario<ModelAtoms>(std::move(scripts), parked, attached, are_many).explore();
  EXPECT_FALSE(outcome.violated) << outcome.what;
  std::printf("%s %d parked, %d attached: %llu states, %llu runs\n", shown.c_str(), parked,
              attached, static_cast<unsigned long long>(outcome.states),
              static_cast<unsigned long long>(outcome.runs));
}

constexpr bool kMany = true;

TEST(SleepModel, OneAttachesAsOneGoesIdle) { explore({"AR", "H"}, 0, 0); }
TEST(SleepModel, TwoRestAndOneAttaches) { explore({"AR", "AR", "H"}, 1, 0); }
TEST(SleepModel, ThePollerFindsWorkAsOneGoesIdle) { explore({"E", "AR"}, 0, 1); }
TEST(SleepModel, AllWhoWatchFindWork) { explore({"E", "AB", "AB"}, 2, 1); }
TEST(SleepModel, OneComesBackAsThePollerLeaves) { explore({"EAR", "ABAR"}, 1, 1); }
TEST(SleepModel, ThePollerParksAsOneAttaches) { explore({"G", "IH"}, 1, 1); }
TEST(SleepModel, ThePollerParksAsOneGoesIdle) { explore({"G", "I", "AR"}, 0, 1); }
TEST(SleepModel, AThreadComesAndGoes) { explore({"ARE", "HIH", "AB"}, 1, 0); }
// With many workers.
TEST(SleepModel, OneSearchesUncounted) { explore({"E", "U", "UV"}, 1, 1, kMany); }
TEST(SleepModel, AllButThePollerSearchUncounted) { explore({"E", "UV", "V"}, 1, 1, kMany); }
TEST(SleepModel, OneRestsUncountedAsOneAttaches) { explore({"V", "AR", "H"}, 0, 0, kMany); }
TEST(SleepModel, OneRestsUncountedAsThePollerParks) { explore({"G", "I", "V"}, 0, 1, kMany); }
TEST(SleepModel, OneWakesTwo) { explore({"AW", "E"}, 3, 1, kMany); }
TEST(SleepModel, TwoWakeTwoEach) { explore({"AW", "AW", "AR"}, 3, 1, kMany); }
TEST(SleepModel, OneWakesTwoAsTheLastIsWoken) { explore({"AW", "AB", "E"}, 2, 1, kMany); }

}  // namespace
}  // namespace nopal::model
