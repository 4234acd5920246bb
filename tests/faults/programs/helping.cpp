// The first thread runs stolen continuations while it waits, and meets something that it cannot
// finish alone. Prints "right", or "left out" if that does not happen in a hundred attempts.
//
//   helping resumed    it is the last to join a frame whose stack another thread has left
//   helping forks      it forks, and the new process goes on: which has to end with a message
#include <cilk/cilk.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string_view>
#include <thread>

#include "../../programs/support/check.h"

namespace {

using Clock = std::chrono::steady_clock;

const std::thread::id first_thread = std::this_thread::get_id();

void wait_for(const std::atomic<bool> *flag) {
  for (const auto begun = Clock::now();
       !*flag && Clock::now() - begun < std::chrono::milliseconds(200);)
    std::this_thread::yield();
}

void work_for(std::chrono::microseconds time) {
  for (const auto begun = Clock::now(); Clock::now() - begun < time;) {
  }
}

/// Spawns a child that runs until the continuation is stolen. The continuation then runs `after`.
template <class After>
void with_stolen_continuation(After after) {
  std::atomic<bool> is_stolen{false};
  cilk_spawn wait_for(&is_stolen);
  is_stolen = true;
  after();
  cilk_sync;
}

bool resumes() {
  std::thread::id child, inner;
  with_stolen_continuation([&] {
    std::atomic<bool> is_stolen{false};
    cilk_spawn[&] {
      child = std::this_thread::get_id();
      wait_for(&is_stolen);
    }();
    is_stolen = true;
    inner = std::this_thread::get_id();
    work_for(std::chrono::milliseconds(2));  // until the child has left its stack
    cilk_sync;
  });
  return inner == first_thread && child != first_thread;
}

void fork_once() {
  with_stolen_continuation([] {
    if (std::this_thread::get_id() == first_thread) return;  // not stolen
    for (int i = 0; i < 200; ++i) {
      cilk_spawn[] {
        static std::atomic<bool> has_forked{false};
        if (std::this_thread::get_id() != first_thread)
          return work_for(std::chrono::microseconds(20));
        if (has_forked.exchange(true)) return;
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
          alarm(50);  // ends a hang
          return;
        }
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        puts("right");
        fflush(stdout);
        _exit(0);
      }();
    }
    cilk_sync;
  });
}

}  // namespace

int main(int, char **arguments) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (std::string_view(arguments[1]) == "forks")
      fork_once();
    else if (resumes())
      return puts("right"), 0;
  }
  puts("left out");
  return 0;
}
