// The rules of every policy, on a flat machine, on one of 4 x 2 x 16, and on a ring. No worker
// steals from itself, every worker is named after any history, and a look visits all others. Each
// check finds a policy that breaks it.
#include <gtest/gtest.h>

#include <vector>

#include "policy/list.h"
#include "policy_environment.h"

namespace {

using namespace nopal::policy;
using Env = TestEnvironment;

enum class History { kAllFail, kAllSucceed, kMixed };

/// Gives worker 0 a history in which others take its work and it takes theirs.
template <class P>
void live(P &policy, std::vector<P> &others, History history, nopal::Random &random) {
  const Mark mine(0, Mark::kMostGenerations), theirs(1, Mark::kMostGenerations);
  policy.path_begins(mine);
  for (int i = 0; i < 500; ++i) {
    Attempt attempt{.choice = policy.next(), .ns = 100};
    const bool succeeds =
        history == History::kAllSucceed || (history == History::kMixed && random.chance(0.3));
    attempt.outcome = succeeds ? Outcome::kStolen : Outcome::kEmpty;
    policy.learn(attempt);
    if (succeeds) policy.stolen(attempt, attempt.choice.is_steal_back() ? mine : theirs);
    P &other = others[random.below(static_cast<std::uint32_t>(others.size()))];
    other.stolen({.choice = {.victim = 0}, .outcome = Outcome::kStolen}, mine);
    other.path_begins(mine);
  }
}

template <class P>
std::vector<P> make_others(typename P::Shared &shared, const Env &environment) {
  std::vector<P> workers;
  workers.reserve(environment.workers());
  for (WorkerId i = 1; i < environment.workers(); ++i)
    workers.emplace_back(shared, environment, i, 1000 + i);
  return workers;
}

/// Whether worker 0 never names itself and, after the history, names all others.
template <class P>
bool names_everybody_but_itself(const Env &environment, History history) {
  typename P::Shared shared(environment);
  std::vector<P> workers = make_others<P>(shared, environment);
  P subject(shared, environment, 0, 1000);
  nopal::Random random(7);
  live(subject, workers, history, random);
  std::vector<int> named(environment.workers());
  for (int i = 0; i < 400'000; ++i) {
    const Choice choice = subject.next();
    if (choice.victim >= environment.workers()) return false;
    ++named[choice.victim];
    subject.learn({.choice = choice, .outcome = Outcome::kLostRace});
  }
  if (named[0] != 0) return false;
  for (WorkerId other = 1; other < environment.workers(); ++other)
    if (named[other] == 0) return false;
  return true;
}

template <class P>
bool looks_at_everybody(const Env &environment) {
  typename P::Shared shared(environment);
  for (const WorkerId self : {0u, 1u, environment.workers() - 1}) {
    P policy(shared, environment, self, 1);
    std::vector<int> seen(environment.workers());
    for (std::uint32_t k = 0; k + 1 < environment.workers(); ++k) {
      const WorkerId other = policy.victim_at(k);
      if (other >= environment.workers() || seen[other]++ != 0) return false;
    }
    if (seen[self] != 0) return false;
  }
  return true;
}

template <class P>
class EachPolicyTest : public testing::Test {};

#define NOPAL_TYPE(word, type, text) type<Env>,
struct End;
template <class... Ps>
struct Listed;
template <class... Done>
struct Listed<testing::Types<Done...>, End> {
  using type = testing::Types<Done...>;
};
template <class... Done, class P, class... Rest>
struct Listed<testing::Types<Done...>, P, Rest...> : Listed<testing::Types<Done..., P>, Rest...> {};
using AllPolicies = Listed<testing::Types<>, NOPAL_POLICIES(NOPAL_TYPE) End>::type;
TYPED_TEST_SUITE(EachPolicyTest, AllPolicies);

TYPED_TEST(EachPolicyTest, IsAPolicy) { static_assert(Policy<TypeParam>); }

TYPED_TEST(EachPolicyTest, NamesEverybodyButItselfAfterAnyHistory) {
  for (const History history : {History::kAllFail, History::kAllSucceed, History::kMixed}) {
    EXPECT_TRUE(names_everybody_but_itself<TypeParam>(Env::flat(2), history));
    EXPECT_TRUE(names_everybody_but_itself<TypeParam>(Env::flat(9), history));
    EXPECT_TRUE(names_everybody_but_itself<TypeParam>(Env::large(), history));
    EXPECT_TRUE(names_everybody_but_itself<TypeParam>(Env::ring(), history));
  }
}

TYPED_TEST(EachPolicyTest, LooksAtEverybodyOnce) {
  EXPECT_TRUE(looks_at_everybody<TypeParam>(Env::flat(2)));
  EXPECT_TRUE(looks_at_everybody<TypeParam>(Env::flat(9)));
  EXPECT_TRUE(looks_at_everybody<TypeParam>(Env::large()));
  EXPECT_TRUE(looks_at_everybody<TypeParam>(Env::ring()));
}

template <class E>
struct NamesItself : RandomPolicy<E> {
  using RandomPolicy<E>::RandomPolicy;
  Choice next() { return {.victim = this->random_.below(this->environment_.workers())}; }
};

template <class E>
struct ForgetsTheLast : RandomPolicy<E> {
  using RandomPolicy<E>::RandomPolicy;
  Choice next() {
    const Choice choice = RandomPolicy<E>::next();
    return choice.victim + 1 == this->environment_.workers() ? Choice{.victim = 1} : choice;
  }
  WorkerId victim_at(std::uint32_t k) const { return k; }
};

TEST(EachPolicyTest, TheChecksFindAPolicyThatBreaksThem) {
  const Env environment = Env::flat(9);
  EXPECT_FALSE(names_everybody_but_itself<NamesItself<Env>>(environment, History::kAllFail));
  EXPECT_FALSE(names_everybody_but_itself<ForgetsTheLast<Env>>(environment, History::kAllFail));
  EXPECT_FALSE(looks_at_everybody<ForgetsTheLast<Env>>(environment));
}

TEST(MarkTest, FitsIntoTheFrameHeader) {
  const Mark mark(0x123456, 17);
  EXPECT_EQ(Mark::from_bits(mark.bits()).owner(), 0x123456u);
  EXPECT_EQ(Mark::from_bits(mark.bits()).generation(), 17u);
  EXPECT_EQ(Mark().owner(), kNobody);
}

}  // namespace
