// Stops where a debugger's view of the stacks is tested (tools_test.py has breakpoints there).
// Under CILK_CHAOS=1:1. The argument: how often.
//
//   in_slow_clone   a continuation whose function's stack belongs to a waiting thread:
//                   main > calls > outer
//   in_child        a child in that continuation: main > calls > outer > middle > child
//   in_suspended    a continuation whose function is on a segment that was left:
//                   main > calls > outer > left_behind
#include <cilk/cilk.h>
#include <execinfo.h>

#include <cstdlib>
#include <ctime>

#include "../programs/support/check.h"

extern "C" {
volatile long hits;
NOINLINE void in_slow_clone(long n) { hits = hits + n; }
NOINLINE void in_child(long n) { hits = hits + n; }
NOINLINE void in_suspended(long n) { hits = hits + n; }
}

namespace {

bool is_stolen;  // atomic

void rest(long milliseconds) {
  const timespec pause = {0, milliseconds * 1000000};
  nanosleep(&pause, nullptr);
}

NOINLINE void wait_for_thief() {
  while (!__atomic_load_n(&is_stolen, __ATOMIC_ACQUIRE)) rest(1);
}

NOINLINE long child(long n) {
  in_child(n);
  // The unwinder of exceptions and profilers sees a few frames, and an end.
  void *frames[64];
  const int depth = backtrace(frames, 64);
  CHECK(depth > 2 && depth < 32);
  return n;
}

NOINLINE long middle(long n) {
  const long a = cilk_spawn child(n);
  const long b = n;
  rest(1);
  cilk_sync;
  return a + b;
}

NOINLINE long quick(long n) {
  hits = hits + n;
  return n;
}

NOINLINE long left_behind(long n) {
  const long a = cilk_spawn quick(n);
  rest(300);  // the stack on which this function was called is left meanwhile, on a busy machine,
              // too
  in_suspended(n);
  cilk_sync;
  return a;
}

NOINLINE long outer(long n) {
  cilk_spawn wait_for_thief();
  __atomic_store_n(&is_stolen, true, __ATOMIC_RELEASE);
  in_slow_clone(n);
  const long a = middle(n + 1);
  const long b = left_behind(n + 2);
  cilk_sync;
  return a + b;
}

NOINLINE long calls(long n) {
  __atomic_store_n(&is_stolen, false, __ATOMIC_RELAXED);
  return outer(n) + 1;
}

}  // namespace

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  for (int i = 0; i < rounds; ++i) CHECK_EQ(calls(3), 14);
  printf("right\n");
  return 0;
}
