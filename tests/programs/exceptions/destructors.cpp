// Destructors: each local and temporary is destroyed exactly once, after the children that use it,
// on the normal path and on each exceptional one. Counted notices a second destruction, a lost one,
// and a use after it.

#include <cilk/cilk.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

struct Failure {
  long number;
};
NOINLINE void fail_if(bool fails, long number) {
  if (fails) throw Failure{number};
}

// Uses `counted` late: if it is destroyed too early, its check fails.
NOINLINE void use(const Counted &counted, std::atomic<long> &sum) {
  linger();
  sum.fetch_add(counted.value(), std::memory_order_relaxed);
}
NOINLINE void use_and_fail(const Counted &counted, bool fails, long number) {
  linger();
  CHECK(counted.value() >= 0);
  fail_if(fails, number);
}

// Writes a letter when it dies.
class Letter {
 public:
  Letter(std::string &trace, char letter) : trace_(trace), letter_(letter) {}
  ~Letter() { trace_ += letter_; }
  Letter(const Letter &) = delete;
  Letter &operator=(const Letter &) = delete;

 private:
  std::string &trace_;
  char letter_;
};

// The implicit sync at the end of a function comes after the result is computed and before the
// first local dies.
long at_function_end(std::atomic<long> &sum) {
  Counted first(1);
  cilk_spawn use(first, sum);
  Counted second(10);
  cilk_spawn use(second, sum);
  std::unique_ptr<Counted> third = std::make_unique<Counted>(100);
  cilk_spawn use(*third, sum);
  std::vector<Counted> more(3, Counted(1000));
  for (const Counted &counted : more) cilk_spawn use(counted, sum);
  return second.value() + third->value();
}

long early_return(std::atomic<long> &sum, int which) {
  Counted first(1);
  cilk_spawn use(first, sum);
  if (which == 0) return 1;
  Counted second(2);
  cilk_spawn use(second, sum);
  if (which == 1) return first.value() + second.value();
  for (int i = 0; i < 5; ++i) {
    if (i == which) return i;
    cilk_spawn use(second, sum);
  }
  return -1;
}

// A returned local (named return value or not) is made before the sync and is what the caller gets.
Counted returned_local(std::atomic<long> &sum) {
  Counted result(5);
  Counted other(6);
  cilk_spawn use(result, sum);
  cilk_spawn use(other, sum);
  return result;
}

// At the end of a try block, before its own locals die and before any handler.
void at_try_end(std::atomic<long> &sum, bool fails) {
  Counted outer(1);
  try {
    Counted inner(10);
    cilk_spawn use(outer, sum);
    cilk_spawn use(inner, sum);
    fail_if(fails, 1);
  } catch (const Failure &) {
    sum.fetch_add(1000, std::memory_order_relaxed);
  }
}

std::string order_of_death(int which) {
  std::string trace;
  try {
    Letter a(trace, 'a');
    Counted counted(1);
    Letter b(trace, 'b');
    cilk_spawn use_and_fail(counted, which == 1, 1);
    Letter c(trace, 'c');
    cilk_spawn use_and_fail(counted, false, 0);
    fail_if(which == 2, 2);
    Letter d(trace, 'd');
    cilk_sync;
    trace += '|';
    fail_if(which == 3, 3);
    cilk_spawn use_and_fail(counted, which == 4, 4);
  } catch (const Failure &failure) {
    trace += static_cast<char>('0' + failure.number);
  }
  // If the continuation was stolen before the child threw, its locals were constructed, and die
  // too.
  return trace == "dcba1" ? "ba1" : trace;
}

// Exceptions leave functions with locals, from children, from the continuation, from both, at each
// level of a recursion.
void unwind(long depth, long which, std::atomic<long> &sum) {
  Counted local(depth);
  std::string text(20 + static_cast<std::size_t>(depth), 't');
  cilk_spawn use(local, sum);
  if (depth == 0) {
    Counted deepest(1);
    cilk_spawn use_and_fail(deepest, which & 1, 1);
    fail_if(which & 2, 2);
    cilk_sync;
    return;
  }
  std::vector<Counted> more(2, Counted(depth));
  cilk_spawn unwind(depth - 1, which, sum);
  for (const Counted &counted : more) cilk_spawn use_and_fail(counted, which & 4, 3);
  fail_if(which & 8, 4);
  cilk_sync;
  CHECK_EQ(static_cast<long>(text.size()), 20 + depth);
}

long unwound(long which) {
  std::atomic<long> sum{0};
  try {
    unwind(6, which, sum);
  } catch (const Failure &failure) {
    return failure.number;
  }
  return 0;
}

// By-value arguments and results when the child throws: the arguments die, and the result was never
// constructed.
NOINLINE Counted consume(Counted a, const Counted &b, bool fails) {
  linger();
  fail_if(fails, 1);
  return Counted(a.value() + b.value());
}
long arguments(int which) {
  Counted assigned(0);
  std::vector<Counted> results(3, Counted(0));
  long sum = 0;
  try {
    results[0] = cilk_spawn consume(Counted(1), Counted(2), which == 1);
    assigned = cilk_spawn consume(Counted(3), Counted(7), which == 2);
    results[1] = cilk_spawn consume(Counted(8), Counted(4), which == 3);
    consume(Counted(5), Counted(6), which == 4);
    cilk_sync;
    sum = results[0].value();
  } catch (const Failure &) {
    sum = -1;
  }
  return sum;
}

// A constructor whose child or continuation throws destroys the members and bases made so far, and
// nothing else.
struct Member {
  explicit Member(long value) : counted(value) {}
  Counted counted;
};
class Composite : public Member {
 public:
  Composite(int which, std::atomic<long> &sum) : Member(1), second_(2) {
    Counted local(3);
    cilk_spawn use(second_.counted, sum);  // matrix: some (two constructors)
    cilk_spawn use_and_fail(local, which == 1, 1);  // matrix: some
    fail_if(which == 2, 2);
    cilk_sync;
    fail_if(which == 3, 3);
  }

 private:
  Member second_;
};
long construct(int which) {
  std::atomic<long> sum{0};
  try {
    Composite composite(which, sum);
    std::unique_ptr<Composite> owned = std::make_unique<Composite>(which, sum);
    return sum.load(std::memory_order_relaxed);
  } catch (const Failure &failure) {
    return -failure.number;
  }
}

}  // namespace

int main() {
  for (int round = 0; round < 4; ++round) {
    std::atomic<long> sum{0};
    printf("function end: %ld", at_function_end(sum));
    for (int which = 0; which < 5; ++which) printf(" %ld", early_return(sum, which));
    printf(" %ld", returned_local(sum).value());
    at_try_end(sum, false);
    at_try_end(sum, true);
    printf(", sum %ld\norder:", sum.load(std::memory_order_relaxed));
    for (int which = 0; which < 5; ++which) printf(" %s", order_of_death(which).c_str());
    printf("\nunwound:");
    for (long which = 0; which < 16; ++which) printf(" %ld", unwound(which));
    printf("\narguments:");
    for (int which = 0; which < 5; ++which) printf(" %ld", arguments(which));
    printf("\nconstructors:");
    for (int which = 0; which < 4; ++which) printf(" %ld", construct(which));
    printf("\n");
    CHECK_EQ(Counted::live(), 0);
  }
  return 0;
}
