// Exceptions that nobody may see: each case runs in a process of its own and must end in std::terminate, with the exception at hand
// where the serial program has it, and neither in a hang nor in a return.

#include <cilk/cilk.h>

#include <sys/wait.h>

#include <csignal>
#include <exception>

#include "../support/check.h"

namespace {

constexpr int kTerminated = 42;

struct Failure {
  long number;
};

NOINLINE long fine(long n) {
  linger();
  return n;
}
NOINLINE long fail(long number) {
  linger();
  throw Failure{number};
}

// matrix: never-begin (these run in child processes, which end without statistics)
void child_in_noexcept() noexcept {
  cilk_spawn fail(1);
  fine(2);
  cilk_sync;
}
void continuation_in_noexcept() noexcept {
  cilk_spawn fine(1);
  fail(1);
}
void noexcept_child() {
  cilk_spawn []() noexcept { fail(1); }();
  fine(2);
}
void below_noexcept() noexcept {
  cilk_spawn [] {
    cilk_spawn fail(1);
    fine(2);
  }();
  fine(3);
}
struct Thrower {
  ~Thrower() {
    cilk_spawn fail(1);
    fine(2);
  }
};
void child_of_destructor() {
  Thrower thrower;
  fine(1);
}
void never_caught() {
  cilk_spawn fail(1);
  fine(2);
}
// matrix: never-end

// Runs `test` in a new process; returns its exit status, or 1000 and its signal.
int status_of(void (*test)()) {
  fflush(stdout);  // under the thread sanitizer _exit prints what the child has inherited
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(20);
    std::set_terminate([] {
      const std::exception_ptr exception = std::current_exception();
      long number = 0;
      if (exception != nullptr) {
        try {
          std::rethrow_exception(exception);
        } catch (const Failure &failure) {
          number = failure.number;
        }
      }
      _exit(number == 1 ? kTerminated : kTerminated + 1);
    });
    test();
    _exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

}  // namespace

int main() {
  const struct {
    const char *name;
    void (*run)();
  } cases[] = {
      {"child in a noexcept function", child_in_noexcept},
      {"continuation in a noexcept function", continuation_in_noexcept},
      {"noexcept child", noexcept_child},
      {"child of a child in a noexcept function", below_noexcept},
      {"child of a destructor", child_of_destructor},
      {"never caught", never_caught},
  };
  for (const auto &test : cases) {
    const int status = status_of(test.run);
    printf("%s: %s\n", test.name, status == kTerminated ? "terminated" : "wrong");
    if (status != kTerminated) fprintf(stderr, "%s: status %d\n", test.name, status);
    CHECK_EQ(status, kTerminated);
  }
  cilk_spawn fine(1);
  fine(2);
  return 0;
}
