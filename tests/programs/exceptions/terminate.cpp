// Exceptions that must end in std::terminate: each case runs in a process of its own, which may
// neither hang nor return. The exception is current where the serial program has it.

#include <cilk/cilk.h>

#include <sys/wait.h>

#include <csignal>
#include <exception>
#include <string>

#include "../support/check.h"
#include "../support/failure.h"

namespace {

constexpr int kTerminated = 42;

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
// The serial program throws 1 alone.
void both_in_noexcept() noexcept {
  cilk_spawn fail(1);
  fail(2);
}
struct ThrowsTwice {
  ~ThrowsTwice() {
    cilk_spawn fail(1);
    fail(2);
  }
};
void both_in_destructor() {
  ThrowsTwice thrower;
  fine(1);
}
void both_in_noexcept_scope() noexcept {
  cilk_spawn fail(1);
  cilk_scope {
    cilk_spawn fine(2);
    fail(3);
  }
}
void both_with_a_local() noexcept {
  std::string local = "local";
  cilk_spawn fail(1);
  fail(static_cast<long>(local.size()));
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
void never_caught_in_continuation() {
  cilk_spawn fine(1);
  fail(1);
}
void never_caught_in_later_child() {
  cilk_spawn fine(1);
  cilk_spawn fail(1);
  fine(2);
}
void never_caught_in_loop() {
  cilk_for (int i = 0; i < 2; ++i) fail(1);  // matrix: never (in a process of its own)
}

// A destructor that throws while an exception of the child unwinds. The function has a cleanup of
// its own, whose destructor may throw too: Clang gives both the same terminate pad. The child's
// exception (3) has a handler, so that there is unwinding; the destructor's (1) is the one at hand.
struct Bomb {
  long number;
  explicit Bomb(long n) : number(n) {}
  Bomb(const Bomb &other) : number(other.number) {}
  ~Bomb() noexcept(false) {
    if (number != 0) throw Failure{number};
  }
};
NOINLINE long fail_with(const Bomb &) {
  linger();
  throw Failure{3};
}
NOINLINE long fail_by_value(Bomb) {
  linger();
  throw Failure{3};
}
void temporary_by_reference() {
  Bomb own(0);
  cilk_spawn fail_with(Bomb(1));
  fine(2);
  cilk_sync;
}
void argument_by_value() {
  Bomb own(0);
  cilk_spawn fail_by_value(Bomb(1));
  fine(2);
  cilk_sync;
}
void assigned_from_a_temporary() {
  Bomb own(0);
  long result;
  result = cilk_spawn fail_with(Bomb(1));
  fine(2);
  cilk_sync;
  (void)result;
}
void local_of_a_block() {
  Bomb own(0);
  cilk_spawn {
    Bomb local(1);
    fail(3);
  }
  fine(2);
  cilk_sync;
}
void lambda_capture() {
  Bomb own(0);
  cilk_spawn [captured = Bomb(1)] { fail(3); }();
  fine(2);
  cilk_sync;
}
void spawned_statement() {
  Bomb own(0);
  long sum = 0;
  cilk_spawn sum = fail_with(Bomb(1)) + fine(1);
  fine(2);
  cilk_sync;
  CHECK_EQ(sum, 0);
}
void handler_of_a_block() {
  Bomb own(0);
  cilk_spawn {
    try {
      fail(3);
    } catch (...) {
      Bomb local(1);
      throw;
    }
  }
  fine(2);
  cilk_sync;
}
void body_of_a_loop() {
  Bomb own(0);
  cilk_for (int i = 0; i < 2; ++i) {  // matrix: never (in a process of its own)
    Bomb local(1);
    fail(3);
  }
}
void local_of_a_scope() {
  Bomb own(0);
  cilk_spawn fine(3);
  cilk_scope {
    Bomb local(1);
    cilk_spawn fine(2);
    fail(3);
  }
}
void in_a_try_block() {
  Bomb own(0);
  try {
    Bomb local(0);
    cilk_spawn fail_with(Bomb(1));
    fine(2);
    cilk_sync;
  } catch (const Failure &) {
  }
}
void below_a_noexcept_function() noexcept {
  Bomb own(0);
  try {
    cilk_spawn fail_with(Bomb(1));
    fine(2);
    cilk_sync;
  } catch (const Failure &) {
  }
}
template <void (*kTest)()>
void caught() {
  try {
    kTest();
  } catch (const Failure &) {
  }
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
      long number = 0;
      if (std::current_exception() != nullptr) {
        try {
          throw;  // as the library's own handler does
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
      {"child and continuation in a noexcept function", both_in_noexcept},
      {"child and continuation in a destructor", both_in_destructor},
      {"child and inner region in a noexcept function", both_in_noexcept_scope},
      {"child and continuation beside a local", both_with_a_local},
      {"noexcept child", noexcept_child},
      {"child of a child in a noexcept function", below_noexcept},
      {"child of a destructor", child_of_destructor},
      {"never caught", never_caught},
      {"never caught in a continuation", never_caught_in_continuation},
      {"never caught in a later child", never_caught_in_later_child},
      {"never caught in a loop", never_caught_in_loop},
      {"temporary by reference", caught<temporary_by_reference>},
      {"argument by value", caught<argument_by_value>},
      {"assigned from a temporary", caught<assigned_from_a_temporary>},
      {"local of a block", caught<local_of_a_block>},
      {"lambda capture", caught<lambda_capture>},
      {"spawned statement", caught<spawned_statement>},
      {"handler of a block", caught<handler_of_a_block>},
      {"body of a loop", caught<body_of_a_loop>},
      {"local of a scope", caught<local_of_a_scope>},
      {"in a try block of a noexcept function", below_a_noexcept_function},
      {"in a try block", caught<in_a_try_block>},
  };
  int wrong = 0;
  for (const auto &test : cases) {
    const int status = status_of(test.run);
    printf("%s: %s\n", test.name, status == kTerminated ? "terminated" : "wrong");
    if (status != kTerminated) fprintf(stderr, "%s: status %d\n", test.name, status);
    wrong += status != kTerminated;
  }
  CHECK_EQ(wrong, 0);
  cilk_spawn fine(1);
  fine(2);
  return 0;
}
