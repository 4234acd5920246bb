// The views of strands without a scheduler: the table, look-ups, creation, merges in order, and
// hyperobjects that die.
#include "hyper/current.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace nopal::hyper {
namespace {

TEST(ViewMapTest, FindsWhatItHas) {
  ViewMap map;
  std::vector<char> objects(1000);
  for (char &object : objects) map.insert({&object, &object + 1});
  EXPECT_EQ(map.size(), 1000u);
  for (char &object : objects) ASSERT_EQ(map.find(&object)->view, &object + 1);
  EXPECT_EQ(map.find(&map), nullptr);
}

TEST(ViewMapTest, TakesInAnyOrder) {
  std::vector<char> objects(300);
  for (std::size_t step : {1u, 7u, 101u}) {
    ViewMap map;
    std::vector<bool> is_gone(objects.size());
    for (char &object : objects) map.insert({&object, &object});
    for (std::size_t n = 0, i = 0; n < objects.size(); ++n, i = (i + step) % objects.size()) {
      ASSERT_EQ(map.take(&objects[i]).hyperobject, &objects[i]);
      ASSERT_EQ(map.find(&objects[i]), nullptr);
      is_gone[i] = true;
      for (std::size_t k = 0; k < objects.size(); ++k)
        ASSERT_EQ(map.find(&objects[k]) == nullptr, is_gone[k]);
    }
    EXPECT_EQ(map.size(), 0u);
  }
}

TEST(ViewMapTest, GivesAllOut) {
  ViewMap map;
  std::vector<char> objects(100);
  for (char &object : objects) map.insert({&object, &object});
  std::size_t cursor = 0;
  map.take_next(cursor);
  const void *other = nullptr;
  for (char &object : objects)
    if (map.find(&object) != nullptr) other = &object;
  map.take(other);  // as a callback may
  for (std::size_t left = 98; left > 0; --left) {
    ASSERT_EQ(map.size(), left);
    map.take_next(cursor);
  }
  EXPECT_EQ(map.size(), 0u);
}

/// Strands by hand.
struct Strands : testing::Test {
  ~Strands() override { EXPECT_EQ(live_views(), 0u); }
  stats::WorkerCounters counters;
  CurrentViews current{counters};

  /// The identity and reduction of a plain std::string.
  static Origin origin() {
    return {sizeof(std::string), alignof(std::string), nullptr,
            [](void *view) { new (view) std::string; },
            [](void *left, void *right) {
              *static_cast<std::string *>(left) += *static_cast<std::string *>(right);
              static_cast<std::string *>(right)->~basic_string();
            }};
  }
  std::string &view(std::string &object) {
    return *static_cast<std::string *>(current.view(&object, origin()));
  }
  /// A stolen strand that appends `text`.
  Views strand(std::string &object, const char *text) {
    current.enter(Views::none());
    view(object) += text;
    return current.leave();
  }
};

TEST_F(Strands, TheLeftmostWorksOnTheHyperobject) {
  std::string object;
  current.enter(Views::leftmost());
  EXPECT_EQ(current.stolen, nullptr);
  EXPECT_EQ(&view(object), &object);
  current.leave();
}

TEST_F(Strands, AViewAtTheFirstUse) {
  std::string object = "initial";
  current.enter(Views::none());
  EXPECT_NE(current.stolen, nullptr);
  EXPECT_EQ(live_views(), 0u);
  std::string &first = view(object);
  EXPECT_EQ(first, "");
  EXPECT_EQ(&view(object), &first);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&first) % 64, 0u);
  EXPECT_EQ(current.recent(&object).view, &first);
  EXPECT_EQ(counters.views_created.read(), 1u);
  const Views views = current.leave();
  EXPECT_NE(current.recent(&object).hyperobject, &object) << "another strand would find it";
  current.discard(views);
}

TEST_F(Strands, MergedInOrder) {
  std::string object = "0";
  Views first = strand(object, "1"), second = strand(object, "2"), third = strand(object, "3");
  second = current.merge(second, third);
  first = current.merge(first, second);
  first = current.merge(Views::leftmost(), first);
  EXPECT_TRUE(first.is_leftmost);
  EXPECT_EQ(object, "0123");
  EXPECT_EQ(counters.views_merged.read(), 3u);
}

TEST_F(Strands, MadeInAStolenStrand) {
  std::string object = "initial,";
  current.enter(Views::none());
  current.begin(&object);
  EXPECT_EQ(&view(object), &object);
  const Views home = current.leave();
  const Views all = current.merge(home, strand(object, "later"));
  EXPECT_EQ(object, "initial,later");
  current.enter(all);
  EXPECT_EQ(&view(object), &object);
  current.end(&object);
  current.discard(current.leave());
}

TEST_F(Strands, AnOlderOneAtTheSameAddress) {
  std::string object = "new";
  const Views old = strand(object, "a view of one that has died");
  current.enter(Views::none());
  current.begin(&object);
  const Views all = current.merge(old, current.leave());
  EXPECT_EQ(object, "new");
  current.discard(all);
}

TEST_F(Strands, NobodyWantsAViewOfADeadOne) {
  static void *lifetime = nullptr;
  static constexpr nopal_view_type text{
      sizeof(std::string),
      alignof(std::string),
      [](void *) { return &lifetime; },
      [](const void *, void *view) { new (view) std::string; },
      [](void *, void *) { FAIL() << "reduced into a hyperobject that has died"; },
      [](void *view) { static_cast<std::string *>(view)->~basic_string(); }};
  std::string object;
  current.enter(Views::none());
  current.view(&object, {text.bytes, text.alignment, &text});
  const Views views = current.leave();
  nopal_view_end(&object, &lifetime);
  EXPECT_TRUE(current.merge(Views::leftmost(), views).is_leftmost);
  EXPECT_EQ(counters.views_merged.read(), 0u);
}

TEST_F(Strands, WhatAnEarlierExceptionMakesVoidDoesNotCount) {
  nopal_frame outer{}, inner{};
  std::string object = "a";
  const auto append = [&](const char *word) {
    static_cast<std::string *>(current.view(&object, Strands::origin()))->append(word);
  };
  current.enter(Views::leftmost());
  append("b");
  current.begin_void(&outer);
  append("x");
  current.begin_void(&outer);  // goes on
  append("x");
  current.begin_void(&inner);
  append("y");
  current.end_void(&outer);  // not yet
  append("y");
  // The strand is suspended, and another one, which does not count either, is merged into it.
  const Views aside = current.leave();
  current.enter(Views::none());
  append("z");
  const Views right = current.leave();
  current.enter(current.merge(aside, right));
  current.end_void(&inner);
  append("x");
  current.end_void(&outer);
  append("c");
  EXPECT_EQ(object, "abc");
  current.end_void(&outer);  // nothing
  EXPECT_TRUE(current.leave().is_leftmost);
}

TEST_F(Strands, WhatADiscardedViewIsFoldedIntoIsAligned) {
  static constexpr std::size_t kAlignment = 4096;
  static int misaligned = 0;
  alignas(kAlignment) static char object[kAlignment];
  const auto identity = [](void *view) {
    misaligned += reinterpret_cast<std::uintptr_t>(view) % kAlignment != 0;
  };
  const Origin origin{sizeof object, kAlignment, nullptr, identity, [](void *, void *) {}};
  for (int i = 0; i < 10; ++i) {
    current.enter(Views::none());
    current.view(object, origin);
    current.discard(current.leave());
  }
  EXPECT_EQ(misaligned, 0);
}

TEST_F(Strands, ACallbackThrows) {
  std::string object;
  Origin origin = Strands::origin();
  origin.identity = [](void *) { throw 1; };
  current.enter(Views::none());
  EXPECT_THROW(current.view(&object, origin), int);
  EXPECT_TRUE(current.are_none());
  current.leave();
}

TEST_F(Strands, ACallbackThatSpawnsIsRefused) {
  static CurrentViews *strand;
  strand = &current;
  std::string object;
  Origin origin = Strands::origin();
  origin.identity = [](void *view) {
    strand->leave();
    new (view) std::string;
  };
  current.enter(Views::none());
  EXPECT_DEATH(current.view(&object, origin), "a callback of a hyperobject spawns");
}

}  // namespace
}  // namespace nopal::hyper
