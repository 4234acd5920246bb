// Which program goes first, and how many processors it leaves to the others.
#include "policy/turns.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using nopal::policy::allotment;
using nopal::policy::Filled;
using nopal::policy::goes_before;
using nopal::policy::kUnlimited;
using nopal::policy::level_of;
using nopal::policy::Program;

constexpr std::uint64_t kMs = 1'000'000;
constexpr std::uint64_t kSecond = 1'000 * kMs;

TEST(TurnsTest, ALevelIsAFactorOfTenFromASecondOn) {
  EXPECT_EQ(level_of(0), 0);
  EXPECT_EQ(level_of(kSecond - 1), 0);
  EXPECT_EQ(level_of(kSecond), 1);
  EXPECT_EQ(level_of(10 * kSecond - 1), 1);
  EXPECT_EQ(level_of(10 * kSecond), 2);
  EXPECT_EQ(level_of(~std::uint64_t{0}), 11);
}

TEST(TurnsTest, FirstIsWhoUsedLessThenWhoFillsMoreThenWhoCameFirst) {
  const Program used_less{.level = 0, .filled = 1, .begun_ns = 9, .process = 9};
  const Program fills_more{.level = 1, .filled = 4, .begun_ns = 8, .process = 8};
  const Program came_first{.level = 1, .filled = 3, .begun_ns = 6, .process = 7};
  const Program at_once{.level = 1, .filled = 3, .begun_ns = 6, .process = 8};
  EXPECT_TRUE(goes_before(used_less, fills_more));
  EXPECT_TRUE(goes_before(fills_more, came_first));
  EXPECT_TRUE(goes_before(came_first, at_once));
}

TEST(TurnsTest, TheOrderIsStrictAndTotal) {
  std::mt19937 random(1);
  const auto draw = [&random](int below) { return static_cast<std::uint8_t>(random() % below); };
  for (int round = 0; round < 10'000; ++round) {
    std::vector<Program> programs;
    for (int process = 1; process <= 3; ++process)
      programs.push_back(
          {.level = draw(2), .filled = draw(3), .begun_ns = draw(2), .process = process});
    for (const Program &a : programs) {
      for (const Program &b : programs) {
        EXPECT_EQ(goes_before(a, b) + goes_before(b, a), a == b ? 0 : 1);
        for (const Program &c : programs)
          EXPECT_LE(goes_before(a, b) && goes_before(b, c), goes_before(a, c));
      }
    }
  }
}

TEST(TurnsTest, TheFirstHasNoLimitAndTheOthersWhatIsLeft) {
  const Program first{.wanted = 3, .begun_ns = 1};
  const Program second{.wanted = 4, .begun_ns = 2};
  const Program third{.wanted = 2, .begun_ns = 3};
  EXPECT_EQ(allotment(first, std::vector{third, second}, 8), kUnlimited);
  EXPECT_EQ(allotment(second, std::vector{first, third}, 8), 5u);
  EXPECT_EQ(allotment(third, std::vector{first, second}, 8), 1u);
  EXPECT_EQ(allotment(third, std::vector{first, second}, 4), 0u);
}

TEST(TurnsTest, OneThatWantsNothingIsInNobodysWay) {
  const Program blocked{.wanted = 0, .begun_ns = 1};
  EXPECT_EQ(allotment({.wanted = 2, .begun_ns = 2}, std::vector{blocked}, 2), kUnlimited);
}

/// With four processors, after `ms` of `working` workers.
int filled(double working, int ms) {
  Filled filled(4);
  for (int i = 0; i < ms; ++i) filled.add(static_cast<std::uint64_t>(working * kMs), kMs);
  return filled.said();
}

TEST(TurnsTest, FilledIsAPartOfTheMachine) {
  EXPECT_EQ(filled(4, 100), 64);
  EXPECT_EQ(filled(5, 100), 64) << "a worker more than processors, for a moment";
  EXPECT_EQ(filled(3, 100), 48);
  EXPECT_EQ(filled(1, 100), 16);
  EXPECT_EQ(filled(0, 100), 0);
  EXPECT_EQ(filled(0, 23), 64) << "too short to know";
}

TEST(TurnsTest, FilledIsInQuartersAndStaysBetweenTwo) {
  EXPECT_EQ(filled(2.7, 100), 48);
  EXPECT_EQ(filled(3.2, 100), 48);
  EXPECT_EQ(filled(3.4, 100), 64);
  Filled changing(1);
  const auto work = [&changing](double part) {
    for (int i = 0; i < 1'000; ++i) changing.add(static_cast<std::uint64_t>(part * kMs), kMs);
    return changing.said();
  };
  EXPECT_EQ(work(0.5), 32);
  EXPECT_EQ(work(0.65), 32);
  EXPECT_EQ(work(0.72), 48);
  EXPECT_EQ(work(0.6), 48);
  EXPECT_EQ(work(0.55), 32);
}

TEST(TurnsTest, FilledForgets) {
  Filled filled(2);
  for (int i = 0; i < 1'000; ++i) filled.add(0, kMs);
  EXPECT_EQ(filled.said(), 0);
  for (int i = 0; i < 1'000; ++i) filled.add(2 * kMs, kMs);
  EXPECT_EQ(filled.said(), 64);
}

TEST(TurnsTest, FilledIsRememberedForASecondOfWaiting) {
  Filled filled(2);
  for (int i = 0; i < 100; ++i) filled.add(kMs, kMs);
  EXPECT_EQ(filled.said(), 32);
  for (int i = 0; i < 999; ++i) filled.hold_up(kMs);
  EXPECT_EQ(filled.said(), 32);
  filled.add(kMs, kMs);
  for (int i = 0; i < 999; ++i) filled.hold_up(kMs);
  EXPECT_EQ(filled.said(), 32) << "the second counts from the last time that it had the machine";
  filled.hold_up(kMs);
  EXPECT_EQ(filled.said(), 64);
}

}  // namespace
