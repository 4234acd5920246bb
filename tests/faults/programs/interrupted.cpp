// What the language forbids, and what only looks like it: interrupted WHAT
//
//   handler  a handler spawns 500 times a second, whatever the first thread does
//   longjmp  children leave the function that spawned them by longjmp
//   stolen   the same, when their parent's continuation may have been stolen
//   lost     a thread waits for a frame that nobody has stolen
//   idle     threads wait for children that sleep, or are attached and do nothing, for longer than
//            the runtime takes to call a program lost
//
// Prints "right", if it ends by itself.
#include <cilk/cilk.h>
#include <sys/time.h>

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <thread>

#include "../../programs/support/check.h"

extern "C" void nopal_suspend(void *frame);  // what a fast clone calls when its pop has failed

namespace {

long fib(long n) {
  if (n < 2) return n;
  const long x = cilk_spawn fib(n - 1);
  const long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

volatile long sink;

void spawn_in_handler(int) { sink = fib(3); }

void handler() {
  struct sigaction action = {};
  action.sa_handler = spawn_in_handler;
  CHECK(sigaction(SIGALRM, &action, nullptr) == 0);
  const itimerval every = {{0, 2000}, {0, 2000}}, none = {};
  setitimer(ITIMER_REAL, &every, nullptr);
  for (int round = 0; round < 4; ++round) CHECK_EQ(fib(36), 14930352);
  setitimer(ITIMER_REAL, &none, nullptr);
}

std::jmp_buf caller;
bool lingers = false;

NOINLINE void child(bool leaves) {
  if (lingers) linger();
  CHECK_EQ(fib(8), 21);
  if (leaves) std::longjmp(caller, 1);
}

NOINLINE long parent(bool leaves) {
  cilk_spawn child(leaves);
  const long result = fib(10);
  cilk_sync;
  return result;
}

void leave() {
  for (volatile int i = 0; i < 1000; i = i + 1) {
    if (setjmp(caller) == 0) CHECK_EQ(parent(i % 3 == 0), 55);
    CHECK_EQ(fib(12), 144);
  }
}

void lose() {
  CHECK_EQ(fib(10), 55);
  alignas(64) std::uint64_t frame[8] = {};
  nopal_suspend(frame);
}

constexpr timespec kLong = {2, 500'000'000};

NOINLINE void rest() { nanosleep(&kLong, nullptr); }

void wait_for_child() {
  cilk_spawn rest();
  fib(5);
  cilk_sync;
  cilk_spawn fib(5);
  rest();
  cilk_sync;
}

void idle() {
  std::thread waits(wait_for_child);
  std::thread works([] {
    fib(5);
    rest();
    fib(5);
    rest();
    fib(5);
  });
  wait_for_child();
  waits.join();
  works.join();
}

}  // namespace

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (std::strcmp(what, "handler") == 0) handler();
  lingers = std::strcmp(what, "stolen") == 0;
  if (lingers || std::strcmp(what, "longjmp") == 0) leave();
  if (std::strcmp(what, "lost") == 0) lose();
  if (std::strcmp(what, "idle") == 0) idle();
  printf("right\n");
  return 0;
}
