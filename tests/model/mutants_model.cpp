// The explorer finds what is broken: each test breaks one thing in the deque's, the join's, the
// alarm's or the sleep word's atoms, or in their use, and expects a violation of the kind that the
// thing prevents ("": of any kind).
#include "alarm_scenario.h"
#include "deque_scenario.h"
#include "join_scenario.h"
#include "runs_scenario.h"
#include "sleep_scenario.h"

#include <gtest/gtest.h>

namespace nopal::model {
namespace {

void expect_violation(const Outcome &outcome, const char *kind) {
  EXPECT_TRUE(outcome.violated) << outcome.states << " states and nothing found";
  EXPECT_NE(outcome.what.find(kind), std::string::npos) << outcome.what;
}

// ---- The deque ----

struct ThiefWithoutFence : ModelAtoms {
  static void heavy_fence() {}
};
TEST(DequeMutant, ThiefWithoutHeavyFence) {
  expect_violation(
      DequeScenario<ThiefWithoutFence>(FenceMode::kAsymmetric, "PPOO", {1, 1}).explore(),
      "taken twice");
}

// A heavy fence of the thief's alone, as if membarrier were an mfence.
struct ThiefWithOwnFence : ModelAtoms {
  static void heavy_fence() { full_fence(); }
};
TEST(DequeMutant, HeavyFenceThatFencesTheThiefOnly) {
  expect_violation(
      DequeScenario<ThiefWithOwnFence>(FenceMode::kAsymmetric, "PPOO", {1, 1}).explore(),
      "taken twice");
}

struct OwnerWithoutLightFence : ModelAtoms {
  static void light_fence() {}
};
TEST(DequeMutant, OwnerWithoutLightFence) {
  expect_violation(
      DequeScenario<OwnerWithoutLightFence>(FenceMode::kAsymmetric, "PPOO", {1, 1}).explore(),
      "taken twice");
}

struct LightFenceInFullMode : ModelAtoms {
  static void full_fence() { light_fence(); }
};
TEST(DequeMutant, LightFenceInFullMode) {
  expect_violation(DequeScenario<LightFenceInFullMode>(FenceMode::kFull, "PPOO", {1, 1}).explore(),
                   "taken twice");
}

// An adaptive owner whose pops become light without a fence between, so that one may not see the
// claim of a thief that took them for fenced.
struct SwitchWithoutFence : ModelAtoms {
  static void switch_fence() {}
};
TEST(DequeMutant, PopsThatBecomeLightWithoutAFence) {
  expect_violation(DequeScenario<SwitchWithoutFence>(FenceMode::kAdaptive, "QPPOO", {1}).explore(),
                   "taken twice");
}
TEST(DequeMutant, LightFenceWhilePopsFence) {
  expect_violation(DequeScenario<LightFenceInFullMode>(FenceMode::kAdaptive, "QPO", {1}).explore(),
                   "taken twice");
}
// A thief that takes each pop for fenced.
struct NoHeavyFence : ModelAtoms {
  static void heavy_fence() {}
};
TEST(DequeMutant, AdaptiveThiefWithoutHeavyFence) {
  expect_violation(DequeScenario<NoHeavyFence>(FenceMode::kAdaptive, "PO", {1}).explore(),
                   "taken twice");
}

// Read-modify-writes in two steps.
struct TornWord : Word<int64_t> {
  using Word<int64_t>::Word;
  bool compare_exchange_seq_cst(int64_t &expected, int64_t desired) {
    const int64_t old = load_acquire();
    const bool equal = old == expected;
    if (equal) store_release(desired);
    expected = old;
    return equal;
  }
  int64_t fetch_add_acq_rel(int64_t value) {
    const int64_t old = load_acquire();
    store_release(old + value);
    return old;
  }
  int64_t fetch_add_release(int64_t value) { return fetch_add_acq_rel(value); }
  int64_t fetch_or_acquire(int64_t bits) {
    const int64_t old = load_acquire();
    store_release(old | bits);
    return old;
  }
};
struct TornAtoms : ModelAtoms {
  using Int64 = TornWord;
};
TEST(DequeMutant, StoreForCompareExchange) {
  expect_violation(DequeScenario<TornAtoms>(FenceMode::kAsymmetric, "PO", {1}).explore(),
                   "taken twice");
  expect_violation(DequeScenario<TornAtoms>(FenceMode::kFull, "PPOO", {1, 1}).explore(),
                   "taken twice");
}

// An empty deque that starts over without a new epoch: a thief moves top past an element that it
// has not seen.
struct SameEpoch : ModelAtoms {};
// One that is in the next epoch before bottom is at its start: a thief finds the last epoch's
// stolen element there, and moves top past the next one.
struct EpochBeforeBottom : ModelAtoms {};

}  // namespace
}  // namespace nopal::model

namespace nopal {

template <>
void Deque<model::DequeScenario<model::SameEpoch>::Frame, model::SameEpoch>::Local::start_over(
    int64_t top) noexcept {
  d_.set_bottom(0, d_.has_full_pops());
  while (!d_.top.compare_exchange_seq_cst(top, 0)) {
  }
}
template <>
void Deque<model::DequeScenario<model::EpochBeforeBottom>::Frame,
           model::EpochBeforeBottom>::Local::start_over(int64_t top) noexcept {
  while (!d_.top.compare_exchange_seq_cst(top, next_epoch(top))) {
  }
  d_.set_bottom(0, d_.has_full_pops());
}
}  // namespace nopal

namespace nopal::model {
namespace {

TEST(DequeMutant, StartsOverInTheSameEpoch) {
  expect_violation(DequeScenario<SameEpoch>(FenceMode::kAsymmetric, "POPPOO", {2}).explore(), "");
}
TEST(DequeMutant, NextEpochBeforeBottomIsAtItsStart) {
  expect_violation(
      DequeScenario<EpochBeforeBottom>(FenceMode::kAsymmetric, "PPDDOPPO", {2}).explore(), "");
}

TEST(DequeMutant, ClaimsWithoutAName) {
  // One thief confirms what the other has claimed since.
  expect_violation(
      DequeScenario<ModelAtoms>(FenceMode::kAsymmetric, "PORO", {1, 1}, /*named=*/false).explore(),
      "taken twice");
}

// ---- The join ----

TEST(JoinMutant, StoreForFetchAdd) {
  expect_violation(JoinScenario<TornAtoms>(2, "...").explore(), "");
}

template <class Frame, class Atoms>
struct ContextAfterJoin : Join<Frame, Atoms> {
  static bool suspended_child_joins(Frame *frame, uintptr_t context) {
    const bool last = Join<Frame, Atoms>::child_joins(frame);
    frame->context = context;
    return last;
  }
};
TEST(JoinMutant, ContextStoredAfterTheJoin) {
  // Either the last one finds no context, or the context is stored into a frame that is gone.
  expect_violation(JoinScenario<ModelAtoms, ContextAfterJoin>(1, "..").explore(), "");
}

template <class Frame, class Atoms>
struct StealsClearedLate : Join<Frame, Atoms> {
  static bool sync_joins(Frame *frame) {
    const int64_t stolen = frame->steals * NOPAL_JOIN_ONE;
    const bool last =
        Join<Frame, Atoms>::count_part(frame->join.fetch_add_acq_rel(stolen)) == -stolen;
    frame->steals = 0;
    return last;
  }
};
TEST(JoinMutant, FrameTouchedAfterTheSync) {
  expect_violation(JoinScenario<ModelAtoms, StealsClearedLate>(1, "..").explore(),
                   "memory that is gone");
}

// Before the sync the count is not positive; who takes any count for the sync's goes on too early.
template <class Frame, class Atoms>
struct OnlyChildByAbsolute : Join<Frame, Atoms> {
  static bool is_only_child_left(Frame *frame) {
    return frame->join.load_acquire() >= -NOPAL_JOIN_ONE;
  }
};
TEST(JoinMutant, OnlyChildWithoutTheSync) {
  expect_violation(JoinScenario<ModelAtoms, OnlyChildByAbsolute>(1, "..").explore(),
                   "before the sync");
}

template <class Frame, class Atoms>
struct ExceptionWithoutLock : Join<Frame, Atoms> {
  template <class Link>
  static void add_exception(Frame *frame, void *exception, Link link) {
    const int64_t found = frame->join.load_acquire();
    void *head = nullptr;
    if (found & NOPAL_JOIN_THREW) head = frame->exceptions;
    link(head);
    frame->exceptions = exception;
    frame->join.fetch_or_acquire(NOPAL_JOIN_THREW);
  }
};
TEST(JoinMutant, ExceptionAddedWithoutTheLock) {
  expect_violation(JoinScenario<ModelAtoms, ExceptionWithoutLock>(2, "TT.").explore(),
                   "an exception was lost");
}

// ---- The runs of finished strands ----

template <class Frame, class Atoms, class Run>
struct RunsWithoutMerge : hyper::Runs<Frame, Atoms, Run> {
  template <class Merge>
  static void put(Frame *frame, Run *run, Merge) {
    Join<Frame, Atoms>::lock(frame);
    run->next = static_cast<Run *>(static_cast<void *>(frame->views));
    frame->views = run;
    Join<Frame, Atoms>::unlock(frame);
  }
};
TEST(RunsMutant, RunsAreNeverMerged) {
  expect_violation(RunsScenario<ModelAtoms, RunsWithoutMerge>("VVV").explore(), "");
}

template <class Frame, class Atoms, class Run>
struct RunsWithoutLock : hyper::Runs<Frame, Atoms, Run> {
  struct Unlocked : Atoms {
    struct Ref {
      auto fetch_or_acquire(int64_t) { return int64_t{0}; }
      void fetch_add_release(int64_t) {}
    };
    static Ref word(typename Atoms::Int64 &) { return {}; }
  };
  template <class Merge>
  static void put(Frame *frame, Run *run, Merge merge) {
    hyper::Runs<Frame, Unlocked, Run>::put(frame, run, merge);
  }
};
TEST(RunsMutant, ListChangedWithoutTheLock) {
  expect_violation(RunsScenario<ModelAtoms, RunsWithoutLock>("VVV").explore(), "");
}

// Two neighbours that end at once may each be merged with what is to their left alone.
template <class Frame, class Atoms, class Run>
struct OnlyToTheLeft : hyper::Runs<Frame, Atoms, Run> {
  template <class Merge>
  static void put(Frame *frame, Run *run, Merge merge) {
    auto last = run->last;
    run->last = last + 100;  // no run begins there
    hyper::Runs<Frame, Atoms, Run>::put(frame, run, [merge, last](Run *left, Run *right) {
      right->last = last;
      return merge(left, right);
    });
  }
};
TEST(RunsMutant, ARunIsMergedToTheLeftOnly) {
  expect_violation(RunsScenario<ModelAtoms, OnlyToTheLeft>("VVV").explore(), "");
}

// ---- The alarm ----

struct PushWithoutFence : ModelAtoms {
  static void push_fence() {}
};
TEST(AlarmMutant, SlowPushWithoutFence) {
  expect_violation(AlarmScenario<PushWithoutFence>({"P"}, 1).explore(),
                   "a slow push was overlooked");
  expect_violation(AlarmScenario<PushWithoutFence>({"PO"}, 1).explore(),
                   "the next push does not call it");
}

struct PollerWithoutFence : ModelAtoms {
  static void full_fence() {}
};
TEST(AlarmMutant, PollerWithoutFences) {
  expect_violation(AlarmScenario<PollerWithoutFence>({"P"}, 1).explore(),
                   "a slow push was overlooked");
}

// A deque that starts over with a plain store of its limit: the poller's may be lost.
struct StartRaisesLimit : ModelAtoms {};

}  // namespace
}  // namespace nopal::model

namespace nopal {

template <>
void Deque<model::AlarmScenario<model::StartRaisesLimit>::Frame,
           model::StartRaisesLimit>::Local::start_over(int64_t top) noexcept {
  d_.set_bottom(0, d_.has_full_pops());
  while (!d_.top.compare_exchange_seq_cst(top, next_epoch(top))) {
  }
  if (d_.limit.load_relaxed() > limit_above(0)) d_.limit.store_relaxed(limit_above(0));
}

}  // namespace nopal

namespace nopal::model {
namespace {

TEST(AlarmMutant, StartRaisesALimitThatWasLow) {
  expect_violation(AlarmScenario<StartRaisesLimit>({"PDPOQ"}, 1).explore(),
                   "the next push does not call it");
}

// A limit that is low already is not stored again: so the alarm must be visible before the limit is
// read.
TEST(AlarmMutant, LimitsReadBeforeTheAlarmIsVisible) {
  expect_violation(AlarmScenario<ModelAtoms>({"PO"}, 2, Wrong::kReadsBeforeSet).explore(),
                   "the next push does not call it");
}

TEST(AlarmMutant, PushesMadeSlowBeforeTheAlarmIsSet) {
  expect_violation(AlarmScenario<ModelAtoms>({"PO"}, 1, Wrong::kSlowBeforeSet).explore(),
                   "the next push does not call it");
}
TEST(AlarmMutant, LookBeforePushesAreSlow) {
  expect_violation(AlarmScenario<ModelAtoms>({"POP"}, 1, Wrong::kLooksBeforeSlow).explore(),
                   "what was there was overlooked");
}
TEST(AlarmMutant, AlarmLookedAtBeforeThePush) {
  expect_violation(AlarmScenario<ModelAtoms>({"P"}, 1, Wrong::kAsksBeforePush).explore(),
                   "a slow push was overlooked");
}

// ---- The sleep word ----

TEST(SleepMutant, CountsThatChangeInTwoSteps) {
  expect_violation(SleepScenario<TornAtoms>({"AR", "H"}, 0, 0).explore(), "");
  expect_violation(SleepScenario<TornAtoms>({"E", "AR"}, 0, 1).explore(), "");
}
TEST(SleepMutant, AListTakenWithoutTheLock) {
  expect_violation(SleepScenario<ModelAtoms>({"AW", "AW"}, 3, 1, /*are_many=*/true,
                                             SleepWrong::kTakesWithoutLock)
                       .explore(),
                   "");
}
TEST(SleepMutant, WhoFindsWorkWakesNobody) {
  expect_violation(
      SleepScenario<ModelAtoms>({"AB"}, 1, 1, false, SleepWrong::kWakesNobody).explore(),
      "nobody watches");
}
TEST(SleepMutant, AnUncountedSearchEndsAsACountedOne) {
  expect_violation(
      SleepScenario<ModelAtoms>({"U", "AR"}, 1, 1, true, SleepWrong::kCountsUncounted).explore(),
      "the counts");
}
TEST(SleepMutant, AnUncountedWorkerRestsAsACountedOne) {
  expect_violation(
      SleepScenario<ModelAtoms>({"V"}, 1, 1, true, SleepWrong::kParksUncounted).explore(),
      "the counts");
}

// ---- The explorer itself ----

struct TwoWords {
  Word<int64_t> a, b;
};

Outcome store_then_load(bool fenced) {
  static TwoWords *words;
  static int64_t seen_a, seen_b;
  Scenario scenario;
  scenario.set_up = [] { words = make<TwoWords>(); };
  scenario.threads.push_back([fenced] {
    words->a = 1;
    if (fenced) ModelAtoms::full_fence();
    seen_b = words->b;
  });
  scenario.threads.push_back([fenced] {
    words->b = 1;
    if (fenced) ModelAtoms::full_fence();
    seen_a = words->a;
  });
  scenario.check = [] { require(seen_a == 1 || seen_b == 1, "both loads overtook the stores"); };
  return explore(scenario);
}
TEST(Explorer, LoadsOvertakeStores) { expect_violation(store_then_load(false), "both loads"); }
TEST(Explorer, FencesStopThem) { EXPECT_FALSE(store_then_load(true).violated); }

TEST(Explorer, StoresKeepTheirOrder) {
  static TwoWords *words;
  Scenario scenario;
  scenario.set_up = [] { words = make<TwoWords>(); };
  scenario.threads.push_back([] {
    words->a = 1;
    words->b = 1;
  });
  scenario.threads.push_back([] {
    if (words->b == 1) require(words->a == 1, "stores changed places");
  });
  scenario.check = [] {};
  EXPECT_FALSE(explore(scenario).violated);
}

// Going back to a state by copying it, and by a run up to there, explores the same.
TEST(Explorer, RestoresWhatReplayingWouldReach) {
  for (const FenceMode mode : {FenceMode::kAsymmetric, FenceMode::kFull, FenceMode::kAdaptive})
    for (const auto &[script, capacity] :
         {std::pair<const char *, int64_t>{"PPOO", 1}, {"POPO", 2}, {"QPDO", 2}}) {
      DequeScenario<ModelAtoms> scenario(mode, script, {1}, /*named=*/true, capacity);
      const Outcome restored = scenario.explore();
      scenario.replay();
      const Outcome replayed = scenario.explore();
      EXPECT_FALSE(restored.violated || replayed.violated);
      EXPECT_EQ(restored.states, replayed.states) << script;
      EXPECT_EQ(restored.runs, replayed.runs) << script;
    }
}

TEST(Explorer, FindsDeadlock) {
  static TwoWords *words;
  Scenario scenario;
  scenario.set_up = [] { words = make<TwoWords>(); };
  scenario.threads.push_back([] { await(words->a, 1); });
  scenario.check = [] {};
  expect_violation(explore(scenario), "deadlock");
}

}  // namespace
}  // namespace nopal::model
