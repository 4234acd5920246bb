// runtime/src/stack: a thread whose stack is a segment overflows it; other faults reach the
// program's own handler or end the process.
//
// Under a sanitizer, whose own handler and stack checks come first, only the passing on of faults
// is tested.
#include "stack/overflow.h"

#include <cactus/segment.h>
#include <gtest/gtest.h>

#include <pthread.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace {

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kIsUnderSanitizer = true;
#else
constexpr bool kIsUnderSanitizer = false;
#endif

constexpr std::size_t kStackBytes = std::size_t{256} << 10;

int worker_seven() noexcept { return 7; }

[[gnu::noinline]] int deepen(volatile int *from, int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  if (*from == -1) return frame[0];
  const int below = deepen(from, depth + 1);
  return below + frame[0];
}

/// Runs `body` in a thread whose stack is a segment.
void run_on_segment(void *(*body)(void *)) {
  cactus::SegmentPool pool({.segment_bytes = kStackBytes, .max_idle = 0});
  cactus::Segment *segment = pool.acquire();
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstack(&attributes, segment->low(), segment->size_bytes()) != 0) std::abort();
  pthread_t thread;
  if (pthread_create(&thread, &attributes, body, nullptr) != 0) std::abort();
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  pool.release(segment);
}

void *overflow_as_worker(void *) {
  nopal::install_overflow_handler(worker_seven);
  volatile int start = 0;
  deepen(&start, 0);
  return nullptr;
}

void *overflow_as_nobody(void *) {
  nopal::install_overflow_handler();
  volatile int start = 0;
  deepen(&start, 0);
  return nullptr;
}

void touch(void *address) { *static_cast<volatile char *>(address) = 1; }

extern "C" void own_handler(int) {
  const char text[] = "the program's own handler\n";
  const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  _exit(written > 0 ? 42 : 43);
}

extern "C" void own_action(int, siginfo_t *info, void *) {
  if (info->si_addr == nullptr) own_handler(0);
  _exit(44);
}

class OverflowDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(OverflowDeathTest, NamesWorkerSizeAndVariableAndDiesByTheSignal) {
  if (kIsUnderSanitizer) GTEST_SKIP();
  EXPECT_EXIT(
      run_on_segment(overflow_as_worker), testing::KilledBySignal(SIGSEGV),
      "^nopal: fatal: stack overflow on worker 7: its stack segment of 262144 bytes is full; "
      "raise CILK_SEGMENT_SIZE, for instance to 512K\n$");
}

TEST_F(OverflowDeathTest, ThreadWithoutAWorker) {
  if (kIsUnderSanitizer) GTEST_SKIP();
  EXPECT_EXIT(run_on_segment(overflow_as_nobody), testing::KilledBySignal(SIGSEGV),
              "stack overflow on a thread that is no worker");
}

TEST_F(OverflowDeathTest, OtherFaultsDieWithoutAMessage) {
  if (kIsUnderSanitizer) GTEST_SKIP();
  EXPECT_EXIT(
      {
        nopal::install_overflow_handler(worker_seven);
        touch(nullptr);
      },
      testing::KilledBySignal(SIGSEGV), "^$");
  EXPECT_EXIT(
      {
        nopal::install_overflow_handler(worker_seven);
        raise(SIGSEGV);
      },
      testing::KilledBySignal(SIGSEGV), "^$");
}

TEST_F(OverflowDeathTest, WildPointerIntoAGuardZoneIsNoOverflow) {
  if (kIsUnderSanitizer) GTEST_SKIP();
  EXPECT_EXIT(
      {
        nopal::install_overflow_handler(worker_seven);
        cactus::SegmentPool pool({.segment_bytes = kStackBytes, .max_idle = 0});
        touch(pool.acquire()->guard());
      },
      testing::KilledBySignal(SIGSEGV), "^$");
}

TEST_F(OverflowDeathTest, ProgramsOwnHandlerGetsItsFaults) {
  EXPECT_EXIT(
      {
        signal(SIGSEGV, own_handler);
        nopal::install_overflow_handler(worker_seven);
        touch(nullptr);
      },
      testing::ExitedWithCode(42), "the program's own handler");
  EXPECT_EXIT(
      {
        struct sigaction action = {};
        action.sa_sigaction = own_action;
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGSEGV, &action, nullptr);
        nopal::install_overflow_handler(worker_seven);
        touch(nullptr);
      },
      testing::ExitedWithCode(42), "the program's own handler");
}

TEST_F(OverflowDeathTest, OwnStackOfAThread) {
  if (kIsUnderSanitizer) GTEST_SKIP();
  EXPECT_EXIT(std::thread([] {
                nopal::install_overflow_handler(worker_seven);
                nopal::watch_own_stack();
                volatile int start = 0;
                deepen(&start, 0);
              }).join(),
              testing::KilledBySignal(SIGSEGV),
              "^nopal: fatal: stack overflow on worker 7: its thread's own stack of [0-9]+ bytes "
              "is full; create the thread");
  EXPECT_EXIT(std::thread([] {
                nopal::install_overflow_handler(worker_seven);
                nopal::watch_own_stack();
                touch(nullptr);
              }).join(),
              testing::KilledBySignal(SIGSEGV), "^$");
}

TEST_F(OverflowDeathTest, SentSignalThatWasIgnoredStaysIgnored) {
  EXPECT_EXIT(
      {
        signal(SIGSEGV, SIG_IGN);
        nopal::install_overflow_handler(worker_seven);
        raise(SIGSEGV);
        _exit(42);
      },
      testing::ExitedWithCode(42), "");
}

TEST_F(OverflowDeathTest, AlternateStackComesAndGoesWithTheThread) {
  EXPECT_EXIT(
      {
        bool is_right = true;
        std::thread([&is_right] {
          stack_t before = {};
          sigaltstack(nullptr, &before);
          nopal::install_overflow_handler(worker_seven);
          nopal::install_overflow_handler(worker_seven);
          stack_t now = {};
          sigaltstack(nullptr, &now);
          is_right = (now.ss_flags & SS_DISABLE) == 0;
          if ((before.ss_flags & SS_DISABLE) == 0)
            is_right = is_right && now.ss_sp == before.ss_sp;  // a sanitizer's, kept
          nopal::forget_thread();
          sigaltstack(nullptr, &now);
          is_right = is_right && (now.ss_flags & SS_DISABLE) == (before.ss_flags & SS_DISABLE);
        }).join();
        _exit(is_right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
