// The state of exceptions belongs to the stack, not to the thread: std::current_exception() and
// `throw;` in a handler that calls spawning functions, std::uncaught_exceptions() in destructors,
// exceptions kept in std::exception_ptr, nested ones, and objects thrown by value that are
// destroyed exactly once.

#include <cilk/cilk.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

struct Failure {
  explicit Failure(long number) : counted(number) {}
  Counted counted;
};

NOINLINE long fine(long n) {
  linger();
  return n;
}
NOINLINE void fail(long number) {
  linger();
  throw Failure(number);
}
NOINLINE void fail_at_once(long number) { throw Failure(number); }

long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// Throws and catches inside: the exceptions of the caller are hidden meanwhile, and come back.
long busy(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    try {
      cilk_spawn fine(i);
      if (i % 2 == 0) fail_at_once(i);
      cilk_sync;
    } catch (const Failure &failure) {
      CHECK_EQ(std::uncaught_exceptions(), 0);
      sum += failure.counted.value();
    }
  }
  return sum + fib(8);
}

// A handler calls spawning functions, which may move to other threads and back, and then looks at
// its exception and rethrows it.
long in_handlers(long depth) {
  try {
    try {
      cilk_spawn fail(depth);
      fine(1);
    } catch (const Failure &failure) {
      const std::exception_ptr before = std::current_exception();
      CHECK(before != nullptr);
      const long sum = fib(9) + (depth > 0 ? in_handlers(depth - 1) : 0) + busy(4);
      CHECK(std::current_exception() == before);
      CHECK_EQ(failure.counted.value(), depth);
      if (sum > 0) throw;
    }
  } catch (const Failure &failure) {
    const long number = failure.counted.value();
    CHECK_EQ(busy(3) > 0, 1);
    CHECK_EQ(failure.counted.value(), number);
    return number + 1;
  }
  return -1;
}

// A destructor that runs while an exception passes calls spawning functions.
struct Busy {
  explicit Busy(int expected) : expected(expected) {}
  ~Busy() {
    CHECK_EQ(std::uncaught_exceptions(), expected);
    CHECK_EQ(fib(7), 13);
    CHECK_EQ(std::uncaught_exceptions(), expected);
  }
  int expected;
};
long in_destructors() {
  try {
    Busy busy(1);
    cilk_spawn fine(1);
    fail_at_once(5);
  } catch (const Failure &failure) {
    CHECK_EQ(std::uncaught_exceptions(), 0);
    Busy busy(0);
    return failure.counted.value();
  }
  return 0;
}

// Children of one function throw and catch among themselves; the counts of one stack are not those
// of another.
NOINLINE void quarrel(long n) {
  CHECK_EQ(std::uncaught_exceptions(), 0);
  CHECK(std::current_exception() == nullptr);
  try {
    fail(n);
  } catch (...) {
    CHECK(std::current_exception() != nullptr);
    linger();
    try {
      throw;
    } catch (const Failure &failure) {
      CHECK_EQ(failure.counted.value(), n);
    }
  }
  CHECK_EQ(std::uncaught_exceptions(), 0);
  CHECK(std::current_exception() == nullptr);
}
void quarrels(long n) {
  if (n == 0) return;
  cilk_spawn quarrel(n);
  CHECK(std::current_exception() == nullptr);
  quarrels(n - 1);
  CHECK_EQ(std::uncaught_exceptions(), 0);
}

// exception_ptr: thrown in children, kept in places of their own, thrown again after the sync.
long rethrown(const std::exception_ptr &exception) {
  try {
    cilk_spawn std::rethrow_exception(exception);  // matrix: never (it does not return)
    fine(0);
  } catch (const Failure &failure) {
    return failure.counted.value();
  }
  return -1;
}
long kept() {
  std::vector<std::exception_ptr> exceptions(6);
  for (std::size_t i = 0; i < exceptions.size(); ++i) {
    cilk_spawn [&exceptions, i] {
      try {
        fail(static_cast<long>(i));
      } catch (...) {
        exceptions[i] = std::current_exception();
      }
    }();
  }
  cilk_sync;
  long sum = 0;
  for (const std::exception_ptr &exception : exceptions) sum = sum * 10 + rethrown(exception);
  return sum;
}

// std::throw_with_nested in each level of a recursion of children.
void nest(int depth) {
  try {
    if (depth == 0) throw std::runtime_error("0");
    cilk_spawn nest(depth - 1);
    cilk_sync;
  } catch (...) {
    std::throw_with_nested(std::runtime_error(std::to_string(depth)));
  }
}
std::string unfold(const std::exception &exception) {
  std::string text = exception.what();
  try {
    std::rethrow_if_nested(exception);
  } catch (const std::exception &inner) {
    text += ' ' + unfold(inner);
  }
  return text;
}

// All but one of several exceptions are destroyed; Counted checks that.
void several(long n) {
  for (long i = 0; i < n; ++i) cilk_spawn fail(i);
  fail_at_once(n);
}

}  // namespace

int main() {
  for (int round = 0; round < 4; ++round) {
    printf("handlers: %ld, destructors: %ld\n", in_handlers(4), in_destructors());
    quarrels(12);
    printf("kept: %ld\n", kept());
    try {
      nest(5);
    } catch (const std::exception &exception) {
      printf("nested: %s\n", unfold(exception).c_str());
    }
    for (long n = 0; n < 6; ++n) {
      try {
        several(n);
      } catch (const Failure &failure) {
        CHECK_EQ(failure.counted.value(), 0);
      }
      CHECK_EQ(Counted::live(), 0);
    }
    CHECK_EQ(std::uncaught_exceptions(), 0);
    CHECK(std::current_exception() == nullptr);
  }
  return 0;
}
