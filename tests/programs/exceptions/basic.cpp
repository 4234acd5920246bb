// Exceptions and spawns: thrown by a child, by the continuation, by both, by several children;
// caught in the function itself, in its caller, in a child's child. Tries inside others:
// nested_regions.cpp. In every schedule the exception reaches the same handler as in the serial
// program.

#include <cilk/cilk.h>

#include <stdexcept>
#include <string>

#include "../support/check.h"
#include "../support/failure.h"

namespace {

NOINLINE long fail_at_once_if(bool fails, long n) {
  if (fails) throw Failure{n};
  return n;
}

// The number of the exception that `run` throws, or 0.
template <class Run>
long caught_from(const Run &run) {
  try {
    run();
  } catch (const Failure &failure) {
    return failure.number;
  }
  return 0;
}

// ---- thrown to the caller ----

long by_child() {
  long a = cilk_spawn fail(1);
  long b = fine(2);
  cilk_sync;
  return a + b;
}
long by_continuation() {
  long a = cilk_spawn fine(1);
  long b = fail_at_once(2);
  cilk_sync;
  return a + b;
}
// The child's exception is serially first, even if the continuation threw long before.
long by_both() {
  long a = cilk_spawn fail(1);
  long b = fail_at_once(2);
  cilk_sync;
  return a + b;
}
long by_first_child_of_many() {
  cilk_spawn fail(1);
  cilk_spawn fail_at_once(2);
  cilk_spawn fail(3);
  cilk_sync;
  return fail_at_once(4);
}
long by_second_child_of_many() {
  cilk_spawn fine(1);
  cilk_spawn fail(2);
  cilk_spawn fail_at_once(3);
  return fail_at_once(4);
}
long by_child_at_implicit_sync() {
  cilk_spawn fail(5);
  return fine(6);
}
long by_child_in_a_loop() {
  for (long i = 0; i < 20; ++i) cilk_spawn fail_at_once_if(i == 7 || i == 8 || i > 14, 100 + i);
  cilk_sync;
  return 0;
}
long by_lambda_and_block(long n) {
  cilk_spawn [n] { fail_at_once_if(n == 0, 11); }();
  cilk_spawn { fail_at_once_if(n == 1, 12); }
  cilk_spawn fine(2);
  fail_at_once_if(n == 2, 13);
  cilk_sync;
  fail_at_once_if(n == 3, 14);
  return n;
}
// The conversion and the store of the result belong to the child, and so do their exceptions.
struct Picky {
  Picky() = default;
  Picky(long n)
      : value(fail_at_once_if(n == 21, n)) {}  // NOLINT: an implicit conversion is what is tested
  Picky &operator=(const std::string &text) {
    value = fail_at_once_if(text == "22", 22);
    return *this;
  }
  long value = 0;
};
NOINLINE std::string as_text(long n) { return std::to_string(n); }
long by_conversion_of_result() {
  Picky picky = cilk_spawn fine(21);
  fine(0);
  cilk_sync;
  return picky.value;
}
long by_assignment_of_result() {
  Picky picky;
  picky = cilk_spawn as_text(22);
  fine(0);
  cilk_sync;
  return picky.value;
}

// ---- caught in the function that spawns ----

long caught_here(int which) {
  long result = 0;
  try {
    long a = cilk_spawn fail_at_once_if(which == 1, 1);
    long b = cilk_spawn fail_at_once_if(which == 2, 2);
    long c = fail_at_once_if(which == 3, 3);
    cilk_sync;
    result = a + b + c + fail_at_once_if(which == 4, 4);
  } catch (const Failure &failure) {
    result = -failure.number;
  }
  return result;
}
// No sync is written in the try block: it ends with one.
long caught_at_the_end_of_try() {
  long result = 0;
  try {
    cilk_spawn fail(31);
    result = fine(1);
  } catch (const Failure &failure) {
    result = failure.number;
  }
  return result;
}
long several_handlers(int which) {
  try {
    cilk_spawn [which] {
      linger();
      if (which == 0) throw 5;
      if (which == 1) throw std::out_of_range("range");
      if (which == 2) throw std::string("text");
      if (which == 3) throw Failure{50};
    }();
    fine(1);
  } catch (int number) {
    return number;
  } catch (const std::logic_error &error) {
    return static_cast<long>(std::string(error.what()).size()) * 10;
  } catch (const Failure &failure) {
    return failure.number;
  } catch (...) {
    return 999;
  }
  return 0;
}
long in_a_loop_of_tries() {
  long sum = 0;
  for (long i = 0; i < 12; ++i) {
    try {
      cilk_spawn fail_at_once_if(i % 3 == 0, i + 1);
      fail_at_once_if(i % 4 == 0, i + 100);
    } catch (const Failure &failure) {
      sum = sum * 3 + failure.number;
    }
  }
  return sum;
}

// ---- from deep below ----

// Leaf `which` of a tree throws, and each leaf after it too: the first wins at every level.
long tree(int depth, long leaf, long which) {
  if (depth == 0) return fail_at_once_if(leaf >= which, leaf + 1);
  long left = cilk_spawn tree(depth - 1, leaf * 2, which);
  long right = cilk_spawn tree(depth - 1, leaf * 2 + 1, which);
  cilk_sync;
  return left + right;
}
// Each level catches an exception from below, and throws another one.
long relay(long n) {
  try {
    if (n == 0) return fail(1);
    long a = cilk_spawn relay(n - 1);
    fine(2);
    cilk_sync;
    return a;
  } catch (const Failure &failure) {
    throw Failure{failure.number + n};
  }
}
long rethrown(long n) {
  try {
    if (n == 0) return fail(77);
    cilk_spawn rethrown(n - 1);
    cilk_sync;
  } catch (...) {
    throw;
  }
  return 0;
}

}  // namespace

int main() {
  for (int round = 0; round < 4; ++round) {
    printf("to the caller: %ld %ld %ld %ld %ld %ld %ld\n", caught_from(by_child),
           caught_from(by_continuation), caught_from(by_both), caught_from(by_first_child_of_many),
           caught_from(by_second_child_of_many), caught_from(by_child_at_implicit_sync),
           caught_from(by_child_in_a_loop));
    printf("lambda and block:");
    for (long n = 0; n < 5; ++n) printf(" %ld", caught_from([n] { by_lambda_and_block(n); }));
    printf("\nresults: %ld %ld\n", caught_from(by_conversion_of_result),
           caught_from(by_assignment_of_result));
    printf("caught here:");
    for (int which = 0; which < 5; ++which) printf(" %ld", caught_here(which));
    printf(" %ld\nhandlers:", caught_at_the_end_of_try());
    for (int which = 0; which < 5; ++which) printf(" %ld", several_handlers(which));
    printf(" %ld\ntree:", in_a_loop_of_tries());
    for (long which = 0; which <= 32; which += 5)
      printf(" %ld", caught_from([which] { tree(5, 0, which); }));
    printf("\nrelay: %ld, rethrown: %ld\n", caught_from([] { relay(12); }),
           caught_from([] { rethrown(12); }));
  }
  return 0;
}
