// Threads that end by pthread_exit or pthread_cancel, and spawns while a thread or the process
// ends: in destructors of thread_local and static objects and of thread-specific data, and in
// atexit functions. Each case in a process of its own, which must end as said and not hang.
//
// matrix: flags -pthread
// matrix: sanitizers address,undefined (thread: no pthread_exit on a fiber, no locks after a fork)

#include <cilk/cilk.h>

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>

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

// How a new process that runs `test` and then calls exit() ends.
std::string end_of(void (*test)()) {
  const int status = wait_status_of(test, exit);
  return WIFEXITED(status) ? "status " + std::to_string(WEXITSTATUS(status))
                           : "signal " + std::to_string(WTERMSIG(status));
}

// matrix: never-begin (these run in child processes)
pthread_key_t key;
std::atomic<int> ran{0};

void five_threads(void *(*body)(void *), bool cancelled = false) {
  CHECK(pthread_key_create(&key, [](void *) { ran += fib(6) == 8; }) == 0);
  for (int i = 0; i < 5; ++i) {
    pthread_t thread;
    CHECK(pthread_create(&thread, nullptr, body, nullptr) == 0);
    if (cancelled) CHECK(pthread_cancel(thread) == 0);
    void *result = nullptr;
    CHECK(pthread_join(thread, &result) == 0);
    CHECK(!cancelled || result == PTHREAD_CANCELED);
  }
  CHECK(fib(7) == 13);
}

void exits_after_spawns() {
  five_threads([](void *) -> void * {
    fib(6);
    pthread_exit(nullptr);
  });
}
// The request waits until it is allowed.
void cancelled_after_spawns() {
  five_threads(
      [](void *) -> void * {
        int before;
        CHECK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0);
        fib(6);
        CHECK(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before) == 0);
        for (;;) {
          pthread_testcancel();
          usleep(100);
        }
      },
      true);
}
void data_spawns() {
  five_threads([](void *) -> void * {
    CHECK(pthread_setspecific(key, &key) == 0);
    fib(6);
    return nullptr;
  });
  CHECK(ran == 5);
}
void data_spawns_first() {
  five_threads([](void *) -> void * {
    CHECK(pthread_setspecific(key, &key) == 0);
    return nullptr;
  });
  CHECK(ran == 5);
}
struct Spawns {
  ~Spawns() { ran += fib(6) == 8; }
};
void thread_local_spawns() {
  five_threads([](void *) -> void * {
    thread_local Spawns object;
    static_cast<void>(&object);
    fib(6);
    return nullptr;
  });
  CHECK(ran == 5);
}
struct SaysSo {
  ~SaysSo() {
    if (fib(7) != 13) _exit(9);
  }
};
void static_spawns() {
  static SaysSo object;
  fib(6);
  exit(3);
}
void static_spawns_first() {
  static SaysSo object;
  exit(4);
}
void atexit_spawns() {
  CHECK(atexit([] { _exit(fib(7) == 13 ? 5 : 9); }) == 0);
  fib(6);
}
void atexit_in_child_spawns() {
  CHECK(atexit([] { _exit(fib(7) == 13 ? 6 : 9); }) == 0);
  cilk_spawn [] {
    linger();
    exit(0);
  }();
  fib(8);
  cilk_sync;
}
// The process ends with its last thread, not with main, and not never. (The thread sanitizer has a
// thread of its own that does not end.)
void main_exits() {
  fib(6);
#if __has_feature(thread_sanitizer)
  usleep(200000);
  exit(0);
#else
  pthread_exit(nullptr);
#endif
}
void main_exits_first() {
  pthread_t thread;
  CHECK(pthread_create(
            &thread, nullptr,
            [](void *) -> void * {
              usleep(20000);
              CHECK(fib(7) == 13);
              return nullptr;
            },
            nullptr) == 0);
  main_exits();
}

// pthread_exit in a function that spawns: the thread just ends if nothing was stolen, else the
// process ends.
void child_ends_its_thread() {
  signal(SIGABRT, [](int) { _exit(0); });
  five_threads([](void *) -> void * {
    cilk_spawn [] { pthread_exit(nullptr); }();
    linger();
    cilk_sync;
    return nullptr;
  });
}
void continuation_ends_its_thread() {
  signal(SIGABRT, [](int) { _exit(0); });
  five_threads([](void *) -> void * {
    cilk_spawn linger();
    linger();
    pthread_exit(nullptr);
    cilk_sync;
    return nullptr;
  });
}

void many_threads() {
  pthread_t threads[16];
  for (int round = 0; round < 5; ++round) {
    for (pthread_t &thread : threads)
      CHECK(pthread_create(
                &thread, nullptr,
                [](void *) -> void * {
                  CHECK(fib(7) == 13);
                  return nullptr;
                },
                nullptr) == 0);
    for (pthread_t thread : threads) CHECK(pthread_join(thread, nullptr) == 0);
  }
}
// matrix: never-end

}  // namespace

int main() {
#define PRINT(test) printf(#test ": %s\n", end_of(test).c_str())
  PRINT(exits_after_spawns);
  PRINT(cancelled_after_spawns);
  PRINT(data_spawns);
  PRINT(data_spawns_first);
  PRINT(thread_local_spawns);
  PRINT(static_spawns);
  PRINT(static_spawns_first);
  PRINT(atexit_spawns);
  PRINT(atexit_in_child_spawns);
  PRINT(main_exits);
  PRINT(main_exits_first);
  PRINT(child_ends_its_thread);
  PRINT(continuation_ends_its_thread);
  PRINT(many_threads);
  printf("%ld\n", fib(9));
  return 0;
}
