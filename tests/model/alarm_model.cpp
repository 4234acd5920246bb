// All schedules of owners that push and a poller that sets its alarm and sleeps. Scripts:
// alarm_scenario.h.
#include "alarm_scenario.h"

#include <gtest/gtest.h>

namespace nopal::model {
namespace {

void explore(std::vector<std::string> scripts, int rounds,
             FenceMode mode = FenceMode::kAsymmetric) {
  const std::string shown = scripts[0] + (scripts.size() > 1 ? "|" + scripts[1] : "");
  const Outcome outcome =
      AlarmScenario<ModelAtoms>(std::move(scripts), rounds, Wrong::kNothing, mode).explore();
  EXPECT_FALSE(outcome.violated) << outcome.what;
  std::printf("%s, %d rounds: %llu states, %llu runs\n", shown.c_str(), rounds,
              static_cast<unsigned long long>(outcome.states),
              static_cast<unsigned long long>(outcome.runs));
}

TEST(AlarmModel, FirstPush) { explore({"P"}, 1); }
TEST(AlarmModel, SlowAndFastPushes) { explore({"POPOP"}, 1); }
TEST(AlarmModel, PushesThatArePoppedAgain) { explore({"POPO"}, 2); }
TEST(AlarmModel, DeeperAndDeeper) { explore({"PPOPP"}, 1); }
TEST(AlarmModel, AlarmIsSetAgain) { explore({"POP"}, 2); }
TEST(AlarmModel, AlarmIsSetAgainAndAgain) { explore({"PPOP"}, 3); }
TEST(AlarmModel, TwoOwners) { explore({"POP", "P"}, 1); }
TEST(AlarmModel, AnEmptyDequeStartsOver) { explore({"PDPOQ"}, 2); }
TEST(AlarmModel, AnEmptyDequeStartsOverUnderAPush) { explore({"PDPOQPOP"}, 1); }
TEST(AlarmModel, AnEmptyDequeOfTwoStartsOver) { explore({"PDPOQ", "P"}, 1); }
TEST(AlarmModel, PushesOutOfLine) { explore({"PPOPP"}, 2, FenceMode::kFull); }
TEST(AlarmModel, AnEmptyDequeStartsOverWhilePopsFence) { explore({"PDPOQ"}, 2, FenceMode::kFull); }
TEST(AlarmModel, TwoOwnersAndTwoRounds) { explore({"P", "P"}, 2); }
// `ctest -C long -R model.large`.
TEST(LargeAlarmModel, TwoOwnersAndTwoRounds) { explore({"PO", "P"}, 2); }

}  // namespace
}  // namespace nopal::model
