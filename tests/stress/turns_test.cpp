// Programs that take turns (CILK_ADAPT=turns). The other program is a thread of the test, which
// says in a list of its own what a program would say; it comes and goes during all tests of this
// folder, so all of them run with workers that wait for their turn.
#include "fixture.h"

#include "../../runtime/src/idle/active.h"
#include "../../runtime/src/idle/programs.h"
#include "../../runtime/src/idle/turns.h"
#include "../../runtime/src/platform/clock.h"
#include "../../runtime/src/worker/chaos.h"

#include <cilk/statistics.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>

namespace stress {
namespace {

namespace turns = nopal::turns;

/// A program that came before this one.
class Other : public testing::Environment {
 public:
  void SetUp() override {
    if (nopal::config().adapt != nopal::Config::Adapt::kTurns) return;
    const int refused = programs_.open(name_);
    if (refused == ENOSPC) return;  // stress.without_memory_files
    ASSERT_EQ(refused, 0);
    ASSERT_EQ(reader_.open(name_), 0);
    ASSERT_EQ(turns::open_list(name_), 0);
    thread_ = std::thread([this] { run(); });
  }
  void TearDown() override {
    ends_.store(true);
    if (is_there()) thread_.join();
    shm_unlink(name_.c_str());
  }

  bool is_there() const { return thread_.joinable(); }
  /// From now on it wants so many workers; kComesAndGoes: all of them for 3 ms in 10.
  void want(int workers) { wanted_.store(workers); }
  static constexpr int kComesAndGoes = -1;

  /// How much of the machine this process says that it uses, if it says something.
  std::optional<std::uint8_t> filled_here() {
    for (const nopal::policy::Program &program : reader_.others(nopal::now_ns()))
      if (program.process == getpid()) return program.filled;
    return std::nullopt;
  }

 private:
  void run() {
    for (int ms = 0; !ends_.load(); ++ms) {
      const int wanted = wanted_.load();
      const auto all = static_cast<int>(nopal::config().processors);
      const int now = wanted == kComesAndGoes ? (ms % 10 < 3 ? all : 0) : wanted;
      programs_.say({.filled = nopal::policy::Filled::kAll,
                     .wanted = static_cast<std::uint16_t>(now),
                     .process = 1},
                    nopal::now_ns());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  const std::string name_ = "/nopal-turns-test-" + std::to_string(getpid());
  nopal::Programs programs_, reader_;
  std::atomic<int> wanted_{kComesAndGoes};
  std::atomic<bool> ends_{false};
  std::thread thread_;
};
Other *const other = new Other;  // GoogleTest deletes it
[[maybe_unused]] testing::Environment *const added = testing::AddGlobalTestEnvironment(other);

class TurnsTest : public Stress {
 protected:
  void SetUp() override {
    if (nopal::config().adapt != nopal::Config::Adapt::kTurns) GTEST_SKIP() << "for turns";
    if (!other->is_there()) GTEST_SKIP() << "no program can take turns";
  }
  void TearDown() override {
    other->want(Other::kComesAndGoes);
    Stress::TearDown();
  }
};

/// Waits, and spawns meanwhile.
template <class Predicate>
testing::AssertionResult spawn_until(Predicate is_so) {
  return wait_until(is_so, kLongEnough, [] { fib(10); });
}

TEST_F(TurnsTest, AWorkerWaitsForTheOtherAndNotForEver) {
  other->want(static_cast<int>(nopal::config().processors));
  std::atomic<bool> ends{false};
  std::uint32_t most = 0;
  std::thread watcher([&] {
    for (; !ends.load(); std::this_thread::yield()) most = std::max(most, turns::waiting());
  });
  ASSERT_TRUE(spawn_until([] { return turns::allotment() == 0; }));
  // Each ends though the other wants all the time.
  for (long i = repetitions(3); i > 0; --i) EXPECT_EQ(fib(20), serial_fib(20));
  work_for(std::chrono::milliseconds(200));
  ends.store(true);
  watcher.join();
  EXPECT_GE(most, 1u);
  other->want(0);
  EXPECT_TRUE(spawn_until([] { return turns::allotment() == turns::kUnlimited; }));
  EXPECT_EQ(turns::waiting(), 0u);
}

/// Steals in 200 ms of regions that are worth a steal.
std::uint64_t steals_of_regions() {
  using namespace std::chrono_literals;
  const std::uint64_t before = cilk::read_statistics().total.steals;
  for (const auto begun = std::chrono::steady_clock::now();
       std::chrono::steady_clock::now() - begun < 200ms;) {
    spawn_loop(0, 16, [](long) {
      for (const auto child = std::chrono::steady_clock::now();
           std::chrono::steady_clock::now() - child < 50us;) {
      }
    });
  }
  return cilk::read_statistics().total.steals - before;
}

TEST_F(TurnsTest, NobodyStealsBeyondTheAllotment) {
  if (nopal::worker_count() < 2) GTEST_SKIP() << "there is no thief";
  if (nopal::chaos::is_on()) GTEST_SKIP() << "chaos steals";
  std::uint64_t with_one = 0, with_all = 0;
  // On a busy machine the other may not be heard for a while, or no thief may come.
  for (int tries = 0; with_all <= 4 * with_one && tries < 5; ++tries) {
    other->want(static_cast<int>(nopal::config().processors) - 1);
    ASSERT_TRUE(spawn_until([] { return turns::allotment() == 1; }));
    with_one = steals_of_regions();
    other->want(0);
    ASSERT_TRUE(spawn_until([] { return turns::allotment() == turns::kUnlimited; }));
    with_all = steals_of_regions();
  }
  // A few regions' when the poller looks in spite of that, each 16 ms.
  EXPECT_GT(with_all, 4 * with_one);
}

// It holds a worker, and another thread has the processor.
TEST_F(TurnsTest, AThreadThatSleepsTakesNobodysTurn) {
  if (nopal::worker_count() < 2) GTEST_SKIP() << "the other wants all";
  fib(5);
  other->want(static_cast<int>(nopal::config().processors) - 1);
  std::thread([&] {
    ASSERT_TRUE(spawn_until([] { return turns::allotment() == 1; }));
    EXPECT_TRUE(
        spawn_until([] { return nopal::active_workers() == 2 && turns::running_workers() == 1; }));
  }).join();
}

// Each fills what others leave to it, and one that is serial now may be parallel later.
TEST_F(TurnsTest, AProgramIsJudgedOnlyByTheTimeInWhichItHadTheMachine) {
  using namespace std::chrono_literals;
  if (nopal::config().processors < 2) GTEST_SKIP() << "one thread fills the machine";
  constexpr auto kAll = nopal::policy::Filled::kAll;
  std::optional<std::uint8_t> said;
  const auto says_something = [&] { return (said = other->filled_here()).has_value(); };
  other->want(1);
  bool is_judged = true;
  // Where the other has no processor for 50 ms, this program has the machine.
  for (int tries = 0; is_judged && tries < 5; ++tries) {
    ASSERT_TRUE(nopal::stop());
    fib(5);
    std::this_thread::sleep_for(300ms);
    ASSERT_TRUE(wait_until(says_something, kLongEnough));
    is_judged = said != kAll;
  }
  EXPECT_FALSE(is_judged);
  other->want(0);
  EXPECT_TRUE(wait_until([&] { return says_something() && said != kAll; }, kLongEnough));
  other->want(1);
  EXPECT_TRUE(wait_until([&] { return says_something() && said == kAll; }, kLongEnough))
      << "the judgment is a second old";
}

TEST_F(TurnsTest, StopAndStartWhileTheOtherIsThere) {
  other->want(static_cast<int>(nopal::config().processors));
  for (long i = repetitions(20); i > 0; --i) {
    EXPECT_EQ(fib(12), serial_fib(12));
    EXPECT_TRUE(nopal::stop());
    EXPECT_EQ(turns::allotment(), turns::kUnlimited);
    EXPECT_EQ(turns::waiting(), 0u);
  }
}

/// Once a thread has been joined, the system may still show it for a moment.
bool is_only_thread() {
  return wait_until(
      [] {
        const std::filesystem::directory_iterator tasks("/proc/self/task"), none;
        return std::distance(tasks, none) == 1;
      },
      std::chrono::seconds(5));
}

// The thread that takes turns was started by its parent, too, and stopped.
TEST_F(TurnsTest, AProcessThatWasForkedStopsToo) {
  if (nopal::chaos::is_on()) GTEST_SKIP() << "chaos keeps a helper";
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the thread sanitizer lets no forked process create threads";
#endif
  fib(12);
  ASSERT_TRUE(nopal::stop());
  const pid_t child = fork();
  if (child == 0) {
    const bool is_right = fib(12) == serial_fib(12) && nopal::stop() && is_only_thread();
    _exit(is_right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace stress
