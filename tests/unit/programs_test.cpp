// The list of programs that take turns: who sees whom, and whose entry may be taken.
#include "idle/programs.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <string>
#include <vector>

namespace {

using nopal::Programs;
using nopal::policy::Program;

constexpr std::uint64_t kNow = 1'000'000'000'000;

class ProgramsTest : public testing::Test {
 protected:
  void TearDown() override { shm_unlink(name.c_str()); }

  Programs &open() {
    Programs &list = lists.emplace_back();
    EXPECT_EQ(list.open(name), 0);
    return list;
  }
  static std::vector<Program> others_of(Programs &list, std::uint64_t now_ns) {
    const auto others = list.others(now_ns);
    return {others.begin(), others.end()};
  }

  const std::string name = "/nopal-programs-test-" + std::to_string(getpid());
  std::deque<Programs> lists;
};

constexpr Program kOne{.level = 2, .filled = 3, .wanted = 400, .begun_ns = 5, .process = 71};
constexpr Program kOther{.level = 0, .filled = 4, .wanted = 1, .begun_ns = 6, .process = 72};

TEST_F(ProgramsTest, EachSeesWhatTheOthersSay) {
  Programs &one = open();
  Programs &other = open();
  EXPECT_TRUE(one.say(kOne, kNow));
  EXPECT_TRUE(one.others(kNow).empty());
  EXPECT_TRUE(other.say(kOther, kNow));
  EXPECT_EQ(others_of(one, kNow), std::vector{kOther});
  EXPECT_EQ(others_of(other, kNow), std::vector{kOne});
  Program changed = kOther;
  changed.wanted = 7;
  EXPECT_TRUE(other.say(changed, kNow + 1));
  EXPECT_EQ(others_of(one, kNow + 1), std::vector{changed});
}

TEST_F(ProgramsTest, WhoLeavesOrFallsSilentDoesNotCount) {
  Programs &one = open();
  Programs &other = open();
  one.say(kOne, kNow);
  other.say(kOther, kNow);
  EXPECT_EQ(one.others(kNow + Programs::kSilentNs - 1).size(), 1u);
  EXPECT_TRUE(one.others(kNow + Programs::kSilentNs).empty());
  other.leave();
  EXPECT_TRUE(one.others(kNow).empty());
  EXPECT_TRUE(other.say(kOther, kNow));
  EXPECT_EQ(others_of(one, kNow), std::vector{kOther});
}

TEST_F(ProgramsTest, AFullListHasRoomAgainWhenOneIsForgotten) {
  for (int process = 1; process <= static_cast<int>(Programs::kMost); ++process)
    EXPECT_TRUE(open().say({.process = process}, kNow + static_cast<std::uint64_t>(process)));
  Programs &late = open();
  EXPECT_FALSE(late.say({.process = 1000}, kNow + Programs::kForgottenNs));
  EXPECT_EQ(late.others(kNow + 100).size(), Programs::kMost) << "it sees the others all the same";
  const std::uint64_t later = kNow + Programs::kForgottenNs + 1;
  EXPECT_TRUE(late.say({.process = 1000}, later)) << "the first one's entry";
  EXPECT_EQ(late.others(kNow + 100).size(), Programs::kMost - 1);
  // The first one comes again: in the entry of the second, which is forgotten by now.
  EXPECT_FALSE(lists.front().say({.process = 1}, later));
  EXPECT_TRUE(lists.front().say({.process = 1}, later + 1));
  EXPECT_EQ(lists.front().others(later + 1).size(), 1u);
}

TEST_F(ProgramsTest, WhatWasSaidBeforeTheClockBeganAnewIsForgotten) {
  Programs &before = open();
  before.say(kOne, kNow);
  constexpr std::uint64_t kAnew = 5'000'000'000;
  Programs &after = open();
  EXPECT_TRUE(after.others(kAnew).empty());
  EXPECT_TRUE(after.say(kOther, kAnew));
  EXPECT_TRUE(before.others(kAnew).size() == 1) << "in its entry";
  EXPECT_EQ(after.others(kNow).size(), 0u);
}

TEST_F(ProgramsTest, AProgramThatIsReplacedByExecKeepsItsEntry) {
  open().say(kOne, kNow);
  Programs &replaced = open();
  EXPECT_TRUE(replaced.say({.process = kOne.process}, kNow));
  Programs &third = open();
  third.say(kOther, kNow);
  EXPECT_EQ(third.others(kNow).size(), 1u);
}

TEST_F(ProgramsTest, AListThatCannotBeOpenedIsRefused) {
  Programs list;
  EXPECT_EQ(list.open("/no/such/folder"), EINVAL);
}

TEST_F(ProgramsTest, SomebodyElsesListIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make one";
  open();
  ASSERT_EQ(chown(("/dev/shm" + name).c_str(), 65534, 65534), 0);
  Programs list;
  EXPECT_EQ(list.open(name), EACCES);
}

}  // namespace
