// Overflows a stack, or faults otherwise, where the argument says:
//
//   overflow child          a child on the main stack
//   overflow continuation   a continuation on a helper's segment
//   overflow grandchild     a child of that continuation
//   overflow thread         a child on the stack of another thread of the program
//   overflow big            a continuation, by one frame of 40 KiB after the other
//   overflow jump           a continuation, by one frame of 2 MiB, which is larger than the segment
//                           and its guard zone
//   overflow handled        a child on the main stack, where the program had a handler with
//                           SA_ONSTACK before: it exits with status 42
//   overflow later WHERE    as WHERE; the program installs such a handler after the first spawn
//   overflow real before|after   faults on purpose in children and continuations: the program's
//                           handler repairs them; prints "right"
//   overflow once           two faults, a handler with SA_RESETHAND
#include <cilk/cilk.h>
#include <pthread.h>
#include <sys/mman.h>

#include <csignal>
#include <cstdint>
#include <cstring>

#include "../../programs/support/check.h"

namespace {

template <int kBytes>
NOINLINE long deepen(volatile long *go_on, long depth) {
  volatile char frame[kBytes];
  frame[0] = static_cast<char>(depth);
  if (*go_on == 0) return depth;
  return deepen<kBytes>(go_on, depth + 1) + frame[0];
}
volatile long forever = 1;

bool is_overtaken;  // atomic

/// A child that runs until its parent's continuation is stolen.
NOINLINE void be_overtaken() {
  while (!__atomic_load_n(&is_overtaken, __ATOMIC_ACQUIRE)) linger();
}

NOINLINE void overflow_in_child() {
  cilk_spawn deepen<256>(&forever, 0);
  linger();
  cilk_sync;
}

template <class Work>
NOINLINE void in_continuation(Work work) {
  cilk_spawn be_overtaken();
  __atomic_store_n(&is_overtaken, true, __ATOMIC_RELEASE);
  work();
  cilk_sync;
}

NOINLINE void jump(long n) {
  volatile char frame[2 << 20];
  for (long i = 0; i < n; ++i) frame[i] = 1;
}

void overflow_in_thread() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{256} << 10);
  pthread_t thread;
  CHECK(pthread_create(
            &thread, &attributes, [](void *) -> void * { return overflow_in_child(), nullptr; },
            nullptr) == 0);
  pthread_join(thread, nullptr);
}

// ---- Faults that a handler repairs ----

constexpr std::size_t kPage = 4096;
char *pages;  // inaccessible; the handler opens the one that was touched
long repaired;

void repair(int, siginfo_t *info, void *context) {
  char *address = static_cast<char *>(info->si_addr);
  const bool is_right = info->si_signo == SIGSEGV && info->si_code == SEGV_ACCERR &&
                        context != nullptr && address >= pages && address < pages + 64 * kPage &&
                        reinterpret_cast<std::uintptr_t>(address) % kPage == 123;
  if (!is_right) _exit(43);
  __atomic_fetch_add(&repaired, 1, __ATOMIC_RELAXED);
  mprotect(address - 123, kPage, PROT_READ | PROT_WRITE);
}

void report_and_exit(int, siginfo_t *info, void *) { _exit(info->si_code > 0 ? 42 : 43); }

void handle(void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  CHECK(sigaction(SIGSEGV, &action, nullptr) == 0);
}

NOINLINE void touch(long page) {
  linger();
  static_cast<volatile char *>(pages)[page * static_cast<long>(kPage) + 123] = 1;
}

void fault_everywhere(bool installs_after) {
  if (!installs_after) handle(repair, 0);
  pages =
      static_cast<char *>(mmap(nullptr, 64 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  in_continuation([] {});
  if (installs_after) handle(repair, 0);
  for (long page = 0; page < 64; page += 2) {
    cilk_spawn touch(page);
    touch(page + 1);
  }
  cilk_sync;
  CHECK_EQ(repaired, 64);
  printf("right\n");
}

void overflow(const char *where) {
  if (std::strcmp(where, "child") == 0) overflow_in_child();
  if (std::strcmp(where, "continuation") == 0) in_continuation([] { deepen<256>(&forever, 0); });
  if (std::strcmp(where, "grandchild") == 0) in_continuation([] { overflow_in_child(); });
  if (std::strcmp(where, "big") == 0) in_continuation([] { deepen<40 << 10>(&forever, 0); });
  if (std::strcmp(where, "jump") == 0) in_continuation([] { jump(forever); });
  if (std::strcmp(where, "thread") == 0) overflow_in_thread();
}

}  // namespace

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (std::strcmp(what, "real") == 0) {
    fault_everywhere(argc > 2 && std::strcmp(argv[2], "after") == 0);
    return 0;
  }
  if (std::strcmp(what, "handled") == 0) {
    handle(report_and_exit, SA_ONSTACK);
    overflow_in_child();
  }
  if (std::strcmp(what, "later") == 0) {
    in_continuation([] {});
    is_overtaken = false;
    handle(report_and_exit, SA_ONSTACK);
    overflow(argc > 2 ? argv[2] : "");
  }
  if (std::strcmp(what, "once") == 0) {
    pages = static_cast<char *>(
        mmap(nullptr, 64 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    handle(repair, static_cast<int>(SA_RESETHAND));
    in_continuation([] {});
    touch(0);
    printf("repaired %ld\n", repaired);
    fflush(stdout);
    touch(1);
  }
  overflow(what);
  return 0;
}
