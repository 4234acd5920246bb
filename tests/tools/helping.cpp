// Stops in a continuation that the first thread runs while it waits: main > calls > outer > inner >
// go_on. The frame of inner is on the thief's segment, that of outer below the waiting call. Runs
// with two workers and repeats until this has happened.
#include <cilk/cilk.h>

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <ctime>

#include "../programs/support/check.h"

extern "C" {
volatile long hits;
NOINLINE void in_helped(long n) { hits = hits + n; }
}

namespace {

std::atomic<bool> is_outer_stolen{false}, is_inner_stolen{false}, was_helped{false};

/// Waits at most some milliseconds, since perhaps nothing is stolen.
NOINLINE void wait_for(const std::atomic<bool> *flag) {
  for (int i = 0; i < 200 && !*flag; ++i) {
    const timespec pause = {0, 20000};
    nanosleep(&pause, nullptr);
  }
}

NOINLINE void go_on(long n) {
  is_inner_stolen = true;
  if (gettid() != getpid()) return;
  in_helped(n);
  was_helped = true;
}

NOINLINE long inner(long n) {
  cilk_spawn wait_for(&is_inner_stolen);
  go_on(n);
  cilk_sync;
  return n;
}

NOINLINE long outer(long n) {
  cilk_spawn wait_for(&is_outer_stolen);
  is_outer_stolen = true;
  const long a = gettid() != getpid() ? inner(n) : n;
  cilk_sync;
  return a + 1;
}

NOINLINE long calls(long n) {
  is_outer_stolen = is_inner_stolen = false;
  const long result = outer(n);
  hits = hits + 1;  // no tail call
  return result + 1;
}

}  // namespace

int main() {
  for (int i = 0; i < 2000 && !was_helped; ++i) CHECK_EQ(calls(3), 5);
  CHECK(was_helped);
  printf("right\n");
  return 0;
}
