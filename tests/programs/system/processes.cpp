// fork, exit, quick_exit, abort, _exit and pthread_exit around spawns: each case in a process of
// its own, which must end as said and not hang.
//
// matrix: flags -pthread

#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

// A forked process of the address sanitizer may wait for ever for the mutex of its quarantine, if
// another thread was freeing memory. Whether this can happen with the thread sanitizer is not
// known.
#if !defined(CILK_SERIAL) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define FORKS_BESIDE_THREADS
#include <cilk/statistics.h>
#endif

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <initializer_list>

#include "../support/check.h"
#include "../support/process.h"

namespace {

long fib(long n) {
  if (n < 2) return n;
  linger();
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// The exit status of a new process that runs `test` and then calls _exit(), or 1000 and its signal.
int status_of(void (*test)()) {
  const int status = wait_status_of(test, _exit);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// matrix: never-begin (these run in child processes, which end without statistics)
void spawns() { CHECK(fib(8) == 21); }
void spawns_in_another_thread() {
  pthread_t thread;
  CHECK(pthread_create(
            &thread, nullptr,
            [](void *) -> void * {
              spawns();
              return nullptr;
            },
            nullptr) == 0);
  CHECK(pthread_join(thread, nullptr) == 0);
  spawns();
}
void forks_again() {
  spawns();
  CHECK(status_of(spawns_in_another_thread) == 0);
}
void ends_the_runtime() {
  spawns();
#ifndef CILK_SERIAL
  __cilkrts_end_cilk();
#endif
  spawns();
}
#ifdef FORKS_BESIDE_THREADS
void spawns_first() { spawns(); }
void asks_first() { CHECK(__cilkrts_get_nworkers() > 0); }
/// Forks while another thread does what makes the runtime ready.
template <void first()>
void forks_beside() {
  static std::atomic<bool> begins{false};
  pthread_t thread;
  CHECK(pthread_create(
            &thread, nullptr,
            [](void *) -> void * {
              begins = true;
              first();
              return nullptr;
            },
            nullptr) == 0);
  while (!begins) {
  }
  const timespec pause = {0, static_cast<long>(getpid() % 16) * 15'000};
  nanosleep(&pause, nullptr);
  CHECK(status_of(spawns) == 0);
  CHECK(pthread_join(thread, nullptr) == 0);
}
#endif
/// A process that a spawned function forks has the program's signals, whoever runs the function.
void forks_in_children() {
  const auto fork_once = [] {
    linger();
    CHECK(status_of([] {
            sigset_t blocked;
            CHECK(pthread_sigmask(SIG_SETMASK, nullptr, &blocked) == 0);
            for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGUSR1})
              CHECK(sigismember(&blocked, signal) == 0);
          }) == 0);
  };
  for (int i = 0; i < 6; ++i) cilk_spawn fork_once();
  cilk_sync;
}
template <class End>
void child_ends(End end) {
  cilk_spawn end();
  linger();
  fib(6);
  cilk_sync;
  _exit(1);
}
void child_exits() {
  child_ends([] { exit(3); });
}
void child_exits_quickly() {
  child_ends([] {
    at_quick_exit([] { _exit(4); });
    quick_exit(5);
  });
}
void child_aborts() {
  child_ends([] {
    signal(SIGABRT, SIG_DFL);
    abort();
  });
}
void child_leaves() {
  child_ends([] { _exit(6); });
}
// matrix: never-end

#ifdef FORKS_BESIDE_THREADS
// Another thread measures the stacks nearly all the time, and holds the mutex that a new worker
// needs.
std::atomic<bool> is_read_enough{false};
void *read_statistics(void *) {
  while (!is_read_enough) static_cast<void>(cilk::read_statistics());
  return nullptr;
}
void fork_beside_measurements() {
  pthread_t reader;
  CHECK(pthread_create(&reader, nullptr, read_statistics, nullptr) == 0);
  for (int i = 0; i < 10; ++i) CHECK(status_of(spawns_in_another_thread) == 0);
  is_read_enough = true;
  CHECK(pthread_join(reader, nullptr) == 0);
}
#endif

void print_all(const char *when) {
  printf("%s: %d %d %d %d\n", when, status_of(spawns), status_of(spawns_in_another_thread),
         status_of(forks_again), status_of(ends_the_runtime));
  printf("%s: %d\n", when, status_of(forks_in_children));
  printf("%s: %d %d %d %d\n", when, status_of(child_exits), status_of(child_exits_quickly),
         status_of(child_aborts), status_of(child_leaves));
}

}  // namespace

int main() {
#ifdef FORKS_BESIDE_THREADS
  for (int i = 0; i < 16; ++i) {
    CHECK(status_of(forks_beside<spawns_first>) == 0);
    CHECK(status_of(forks_beside<asks_first>) == 0);
  }
#endif
  print_all("before the first spawn");
  printf("%ld\n", fib(9));
  print_all("with helpers");
#ifdef FORKS_BESIDE_THREADS
  fork_beside_measurements();
#endif
#ifndef CILK_SERIAL
  __cilkrts_end_cilk();
#endif
  print_all("after __cilkrts_end_cilk");
  printf("%ld\n", fib(9));
  return 0;
}
