// Views of hyperobjects under steals: the result is the serial one, views are merged at once, and
// code that the serial program skips by an exception does not count.
#include "fixture.h"

#include "../../runtime/src/hyper/view.h"

#include <cilk/reducer.h>

#include <list>
#include <memory>
#include <string>
#include <vector>

namespace stress {
namespace {

class HyperTest : public Stress {
 protected:
  void TearDown() override {
    EXPECT_EQ(nopal::hyper::live_views(), 0u);
    Stress::TearDown();
  }
};

using Text = cilk::reducer<std::string, cilk::append>;
using Sum = cilk::reducer<long, std::plus<>>;

std::string digits(long from, long to) {
  std::string text;
  for (long i = from; i < to; ++i) text += std::to_string(i) + ",";
  return text;
}

TEST_F(HyperTest, ALoopInOrder) {
  for (long i = repetitions(50); i > 0; --i) {
    Text text;
    spawn_loop(0, 100, [&text](long n) { *text += std::to_string(n) + ","; });
    ASSERT_EQ(*text, digits(0, 100));
  }
}

void tree(Text &text, long low, long high) {
  if (high - low == 1) {
    *text += std::to_string(low) + ",";
    return;
  }
  const long middle = (low + high) / 2;
  spawn_and_continue([&text, low, middle] { tree(text, low, middle); },
                     [&text, middle, high] { tree(text, middle, high); });
}

TEST_F(HyperTest, ATreeInOrder) {
  const long leaves = kIsSanitized ? 50 : 500;
  for (long i = repetitions(10); i > 0; --i) {
    Text text;
    tree(text, 0, leaves);
    ASSERT_EQ(*text, digits(0, leaves));
  }
}

TEST_F(HyperTest, ManySyncsOfOneActivation) {
  Text text;
  std::string serial;
  spawn_rounds(
      20, 10, [&text](long round, long i) { *text += std::to_string(round * 10 + i) + ","; },
      [&text, &serial](long round) {
        serial += digits(round * 10, round * 10 + 10);
        ASSERT_EQ(*text, serial);
      });
}

TEST_F(HyperTest, MadeInAStrandOfItsOwn) {
  for (long i = repetitions(20); i > 0; --i)
    spawn_loop(0, 20, [](long n) {
      Text text(std::to_string(n) + ":");
      spawn_loop(0, 20, [&text](long k) { *text += std::to_string(k) + ","; });
      ASSERT_EQ(*text, std::to_string(n) + ":" + digits(0, 20));
    });
}

TEST_F(HyperTest, ManyAtOnce) {
  static constexpr std::size_t count = kIsSanitized ? 200 : 2000;
  const auto sums = std::make_unique<Sum[]>(count);
  spawn_loop(0, 50, [&sums](long n) {
    for (std::size_t i = 0; i < count; ++i) *sums[i] += n;
  });
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(*sums[i], 49 * 50 / 2);
}

/// The number that `body` throws, or -1.
template <class Body>
long number_thrown_by(const Body &body) {
  try {
    body();
  } catch (long thrown) {
    return thrown;
  }
  return -1;
}

TEST_F(HyperTest, WhatFollowsAThrowDoesNotCount) {
  for (long i = repetitions(50); i > 0; --i) {
    const long first = i % 30;
    Text text("begin,");
    ASSERT_EQ(number_thrown_by([&text, first] {
                spawn_loop(0, 40, [&text, first](long n) {
                  *text += std::to_string(n) + ",";
                  if (n >= first && (n - first) % 3 == 0) throw n;
                });
              }),
              first);
    ASSERT_EQ(*text, "begin," + digits(0, first + 1));
    spawn_loop(0, 5, [&text](long n) { *text += std::to_string(n) + ","; });
    ASSERT_EQ(*text, "begin," + digits(0, first + 1) + digits(0, 5));
  }
}

TEST_F(HyperTest, TheContinuationThrows) {
  for (long i = repetitions(50); i > 0; --i) {
    Text text;
    ASSERT_EQ(number_thrown_by([&text] {
                spawn_and_continue([&text] { *text += "child,"; },
                                   [&text] {
                                     *text += "continuation";
                                     throw 7L;
                                   });
              }),
              7);
    ASSERT_EQ(*text, "child,continuation");
  }
}

/// A reducer dies in a strand that is not its first, while other strands have views of it.
TEST_F(HyperTest, ItDiesBeforeTheSync) {
  for (long i = repetitions(50); i > 0; --i) {
    auto *text = new Text("long enough to be on the heap, so that a loss shows");
    Text after;
    spawn_loop(0, 10, [&text, &after](long n) {
      if (n == 0) **text += "a view that is not looked at";
      *after += std::to_string(n) + ",";
    });
    spawn_and_continue([] { fib(3); },
                       [&text] {
                         **text += "another view";
                         spawn_and_continue([] { fib(3); },
                                            [&text] {
                                              **text += "and a third one";
                                              delete std::exchange(text, nullptr);
                                            });
                       });
    ASSERT_EQ(*after, digits(0, 10));
  }
}

TEST_F(HyperTest, AViewContainsAReducer) {
  struct Nested {
    Text text;
    struct Op {
      Nested identity() const { return {}; }
      void reduce(Nested &left, Nested &right) const { *left.text += *right.text; }
    };
  };
  for (long i = repetitions(20); i > 0; --i) {
    cilk::reducer<Nested, Nested::Op> outer;
    spawn_loop(0, 30, [&outer](long n) { *outer->text += std::to_string(n) + ","; });
    ASSERT_EQ(*outer->text, digits(0, 30));
  }
}

TEST_F(HyperTest, SeveralAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      Text text;
      spawn_loop(0, 100, [&text](long n) { *text += std::to_string(n) + ","; });
      EXPECT_EQ(*text, digits(0, 100));
    });
  for (std::thread &thread : threads) thread.join();
}

/// Few views, however often the loop is stolen from.
TEST_F(HyperTest, AdjacentViewsAreMergedAtOnce) {
  Sum sum;
  const long spawns = kIsSanitized ? 2'000 : 100'000;
  std::atomic<std::uint64_t> most{0};
  spawn_loop(0, spawns, [&sum, &most](long) {
    *sum += 1;
    const std::uint64_t now = nopal::hyper::live_views();
    std::uint64_t known = most.load();
    while (now > known && !most.compare_exchange_weak(known, now)) {
    }
  });
  ASSERT_EQ(*sum, spawns);
  EXPECT_LE(most.load(), 4 * nopal::workers_made());
}

TEST_F(HyperTest, OpenCilksCallbacks) {
  const auto identity = [](void *view) { new (view) std::string; };
  const auto reduce = [](void *left, void *right) {
    auto *from = static_cast<std::string *>(right);
    *static_cast<std::string *>(left) += *from;
    from->~basic_string();
  };
  const auto view = [=](std::string *key) -> std::string & {
    void (*const make)(void *) = identity;
    void (*const fold)(void *, void *) = reduce;
    return *static_cast<std::string *>(__cilkrts_reducer_lookup(
        key, sizeof *key, reinterpret_cast<void *>(make), reinterpret_cast<void *>(fold)));
  };
  for (long i = repetitions(20); i > 0; --i) {
    std::string text;
    spawn_loop(0, 60, [&text, view](long n) { view(&text) += std::to_string(n) + ","; });
    ASSERT_EQ(text, digits(0, 60));
  }
}

}  // namespace
}  // namespace stress
