// Exceptions from children and continuations, stolen or not: the serially first one arrives, the
// others are destroyed, the counts are right.
#include "fixture.h"

#include <atomic>
#include <exception>
#include <stdexcept>

namespace stress {
namespace {

using ExceptionsTest = Stress;

/// Counts its instances, so that a leak shows.
struct Thrown {
  explicit Thrown(long which) : which(which) { ++alive; }
  Thrown(const Thrown &other) : which(other.which) { ++alive; }
  ~Thrown() { --alive; }
  long which;
  static inline std::atomic<long> alive{0};
};

/// The number that `body` throws, or -1.
template <class Body>
long thrown_by(const Body &body) {
  try {
    body();
  } catch (const Thrown &thrown) {
    EXPECT_EQ(std::uncaught_exceptions(), 0);
    return thrown.which;
  }
  return -1;
}

TEST_F(ExceptionsTest, AChildThrows) {
  for (long i = repetitions(200); i > 0; --i)
    ASSERT_EQ(thrown_by([] { spawn_and_continue([] { throw Thrown(1); }, [] { fib(5); }); }), 1);
  EXPECT_EQ(Thrown::alive, 0);
}

TEST_F(ExceptionsTest, TheContinuationThrows) {
  std::atomic<bool> child_is_done{false};
  for (long i = repetitions(200); i > 0; --i) {
    child_is_done = false;
    ASSERT_EQ(thrown_by([&] {
                spawn_and_continue([&] { fib(5), child_is_done = true; }, [] { throw Thrown(2); });
              }),
              2);
    ASSERT_TRUE(child_is_done) << "the exception left before the sync";
  }
  EXPECT_EQ(Thrown::alive, 0);
}

TEST_F(ExceptionsTest, BothThrowAndTheChildWins) {
  for (long i = repetitions(200); i > 0; --i)
    ASSERT_EQ(
        thrown_by([] { spawn_and_continue([] { throw Thrown(1); }, [] { throw Thrown(2); }); }), 1);
  EXPECT_EQ(Thrown::alive, 0);
}

TEST_F(ExceptionsTest, TheSeriallyFirstOfManyWins) {
  for (long i = repetitions(100); i > 0; --i) {
    const long first = i % 20;
    ASSERT_EQ(thrown_by([first] {
                spawn_loop(0, 40, [first](long child) {
                  if (child >= first && (child - first) % 3 == 0) throw Thrown(child);
                  fib(3);
                });
              }),
              first);
  }
  EXPECT_EQ(Thrown::alive, 0);
}

TEST_F(ExceptionsTest, ThroughManyLevels) {
  const std::function<void(long)> dive = [&dive](long depth) {
    if (depth == 0) throw Thrown(7);
    spawn_and_continue([&dive, depth] { dive(depth - 1); }, [] { fib(4); });
  };
  for (long i = repetitions(50); i > 0; --i) ASSERT_EQ(thrown_by([&dive] { dive(20); }), 7);
  EXPECT_EQ(Thrown::alive, 0);
}

// An exception that a stack handles is still handled when the stack is resumed, perhaps in another
// thread.
TEST_F(ExceptionsTest, AHandlerThatSpawns) {
  std::atomic<long> wrong{0};
  for (long i = repetitions(50); i > 0; --i)
    spawn_loop(0, 8, [&wrong](long child) {
      try {
        throw Thrown(child);
      } catch (const Thrown &mine) {
        const std::exception_ptr before = std::current_exception();
        const int uncaught = std::uncaught_exceptions();
        spawn_loop(0, 4, [](long) { fib(3); });
        if (mine.which != child || std::current_exception() != before ||
            std::uncaught_exceptions() != uncaught)
          ++wrong;
      }
      if (std::current_exception() != nullptr) ++wrong;
    });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(Thrown::alive, 0);
}

// A destructor that spawns while its stack unwinds sees one exception in flight before and after,
// and its children see none.
TEST_F(ExceptionsTest, ADestructorThatSpawns) {
  struct Spawning {
    std::atomic<long> &wrong;
    ~Spawning() {
      if (std::uncaught_exceptions() != 1) ++wrong;
      spawn_loop(0, 4, [](long) { fib(3); });
      if (std::uncaught_exceptions() != 1) ++wrong;
    }
  };
  std::atomic<long> wrong{0};
  for (long i = repetitions(50); i > 0; --i)
    spawn_loop(0, 8, [&wrong](long child) {
      try {
        Spawning spawning{wrong};
        throw Thrown(child);
      } catch (const Thrown &) {
      }
    });
  EXPECT_EQ(wrong, 0);
}

TEST_F(ExceptionsTest, AStandardExceptionKeepsItsMessage) {
  for (long i = repetitions(50); i > 0; --i) {
    std::string message;
    try {
      spawn_loop(0, 10, [](long child) {
        if (child == 4) throw std::runtime_error("child 4");
      });
    } catch (const std::exception &exception) {
      message = exception.what();
    }
    ASSERT_EQ(message, "child 4");
  }
}

}  // namespace
}  // namespace stress
