// Steal-back: which workers are on whose list, when they leave it, and which become owners.
#include "policy/localized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include "policy/half.h"
#include "policy/mugging.h"
#include "policy_environment.h"

namespace {

using namespace nopal::policy;
using Env = TestEnvironment;

Attempt stolen_from(WorkerId victim) {
  return {.choice = {.victim = victim}, .outcome = Outcome::kStolen};
}
constexpr Mark kOfTwo(2, Mark::kMostGenerations);  // work of worker 2, for ever

template <class P>
class StealBackTest : public testing::Test {
 protected:
  StealBackTest() : environment(Env::flat(8)), shared(environment, 0) {
    for (WorkerId i = 0; i < 8; ++i) workers.emplace_back(shared, environment, i, i);
  }
  Env environment;
  typename P::Shared shared;
  std::vector<P> workers;
};
using WithStealBacks = testing::Types<LocalizedPolicy<Env>, MuggingPolicy<Env>>;
TYPED_TEST_SUITE(StealBackTest, WithStealBacks);

TYPED_TEST(StealBackTest, TheThiefGoesOnTheOwnersListAndNotTheVictims) {
  this->workers[5].stolen(stolen_from(3), kOfTwo);  // 3 had work of 2
  const Choice back = this->workers[2].next();
  EXPECT_EQ(back.victim, 5u);
  EXPECT_EQ(back.only_of, 2u);
  EXPECT_FALSE(this->workers[3].next().is_steal_back());
}

TYPED_TEST(StealBackTest, TheOwnerIsNeverOnItsOwnList) {
  this->workers[2].stolen(stolen_from(5), kOfTwo);
  EXPECT_FALSE(this->workers[2].next().is_steal_back());
}

TYPED_TEST(StealBackTest, AFailedStealBackTakesTheNameOff) {
  this->workers[5].stolen(stolen_from(2), kOfTwo);
  this->workers[6].stolen(stolen_from(2), kOfTwo);
  this->workers[2].learn({.choice = {.victim = 5, .only_of = 2}, .outcome = Outcome::kOthersWork});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(this->workers[2].next().victim, 6u);
  this->workers[2].learn({.choice = {.victim = 6, .only_of = 2}, .outcome = Outcome::kEmpty});
  EXPECT_FALSE(this->workers[2].next().is_steal_back());
}

TYPED_TEST(StealBackTest, AllHelpersAreDrawnAboutAsOften) {
  for (const WorkerId helper : {0u, 1u, 5u, 7u})
    this->workers[helper].stolen(stolen_from(2), kOfTwo);
  std::vector<int> drawn(8);
  for (int i = 0; i < 40'000; ++i) ++drawn[this->workers[2].next().victim];
  for (const WorkerId helper : {0u, 1u, 5u, 7u}) EXPECT_NEAR(drawn[helper], 10'000, 500);
}

TEST(LocalizedAmountTest, ALostRaceAndASuccessKeepTheNameMuggingKeepsNone) {
  const Env environment = Env::flat(8);
  for (const Outcome outcome : {Outcome::kStolen, Outcome::kLostRace}) {
    LocalizedPolicy<Env>::Shared lists(environment, 0);
    LocalizedPolicy<Env> owner(lists, environment, 2, 1), thief(lists, environment, 5, 1);
    thief.stolen(stolen_from(2), kOfTwo);
    const Choice back = owner.next();
    EXPECT_EQ(back.amount, Amount::kOldest);
    owner.learn({.choice = back, .outcome = outcome});
    EXPECT_TRUE(owner.next().is_steal_back());

    MuggingPolicy<Env>::Shared other_lists(environment, 0);
    MuggingPolicy<Env> mugger(other_lists, environment, 2, 1),
        helper(other_lists, environment, 5, 1);
    helper.stolen(stolen_from(2), kOfTwo);
    const Choice all = mugger.next();
    EXPECT_EQ(all.amount, Amount::kAll);
    mugger.learn({.choice = all, .outcome = outcome});
    EXPECT_FALSE(mugger.next().is_steal_back());
  }
}

TEST(LocalizedOwnerTest, WhoOwnsNothingBecomesAnOwnerWhileWorkIsDistributed) {
  const Env environment = Env::flat(8);
  LocalizedPolicy<Env>::Shared shared(environment, 0);
  LocalizedPolicy<Env> first(shared, environment, 0, 1), thief(shared, environment, 5, 1);
  first.path_begins(Mark(0, 0));
  const Mark mine = thief.stolen(stolen_from(0), Mark(0, 0));
  EXPECT_EQ(mine.owner(), 5u);
  EXPECT_EQ(mine.generation(), 1u);
  EXPECT_FALSE(first.next().is_steal_back());  // what it gave away for good
  thief.path_begins(mine);
  const Mark again = thief.stolen(stolen_from(0), Mark(0, 0));
  EXPECT_EQ(again.owner(), 0u);  // it has work of its own, and helps
  EXPECT_EQ(first.next().victim, 5u);
  thief.path_ends(mine);
  // lg 8 generations have been given away: no more.
  EXPECT_EQ(thief.stolen(stolen_from(1), Mark(1, 3)).owner(), 1u);
}

TEST(HelperListsTest, ShortListsForgetNamesAndInventNone) {
  const std::uint32_t workers = 1000;
  HelperLists<Env> lists(workers, 64 * workers);  // 64 places or fewer for each owner
  std::set<WorkerId> added;
  for (WorkerId helper = 3; helper < workers; helper += 7) {
    lists.add(9, helper);
    added.insert(helper);
  }
  nopal::Random random(1);
  std::set<WorkerId> drawn;
  for (int i = 0; i < 10'000; ++i) drawn.insert(lists.draw(9, 9, random));
  EXPECT_GE(drawn.size(), 60u);
  for (const WorkerId name : drawn) EXPECT_TRUE(added.contains(name));
  for (const WorkerId name : added) lists.remove(9, name);
  EXPECT_TRUE(lists.is_empty(9));
  EXPECT_EQ(lists.draw(9, 9, random), kNobody);
}

TEST(HelperListsTest, Stress) {
  constexpr std::uint32_t kWorkers = 130;
  HelperLists<Env> lists(kWorkers);
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&lists, t] {
      nopal::Random random(t);
      for (int i = 0; i < 50'000; ++i) {
        const WorkerId owner = random.below(kWorkers), name = t * 32 + random.below(32);
        if (random.chance(0.5))
          lists.add(owner, name);
        else
          lists.remove(owner, name);
        const WorkerId drawn = lists.draw(owner, owner, random);
        ASSERT_TRUE(drawn == kNobody || (drawn < 128 && drawn != owner));
      }
    });
  for (std::thread &thread : threads) thread.join();
  for (WorkerId owner = 0; owner < kWorkers; ++owner) {
    for (WorkerId name = 0; name < 128; ++name) lists.remove(owner, name);
    EXPECT_TRUE(lists.is_empty(owner));
  }
}

TEST(HalfTest, AsksForHalf) {
  const Env environment = Env::flat(8);
  HalfPolicy<Env>::Shared shared(environment);
  EXPECT_EQ((HalfPolicy<Env>(shared, environment, 1, 1).next().amount), Amount::kHalf);
}

}  // namespace
