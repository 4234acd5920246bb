// The language's sentences on exceptions, a function for each, which must be right with and without
// a steal. `Place` tells whether the continuation was stolen: it then runs on another stack than
// its function began on.

#include <cilk/cilk.h>

#include <atomic>
#include <exception>
#include <string>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

struct Failure {
  explicit Failure(long number) : counted(number) {}
  virtual ~Failure() = default;  // std::throw_with_nested asks for the type when it runs
  Failure(const Failure &) = default;
  Counted counted;
  long number() const { return counted.value(); }
};

NOINLINE long fine(long n) {
  linger();
  return n;
}
NOINLINE long fail(long number) {
  linger();
  throw Failure(number);
}
NOINLINE void fail_at_once(long number) { throw Failure(number); }

// No exception is in flight here, and none is being handled.
NOINLINE void check_calm() {
  CHECK_EQ(std::uncaught_exceptions(), 0);
  CHECK(std::current_exception() == nullptr);
}

// The stack that a function began on. Another stack is another segment, which is megabytes away.
class Place {
 public:
  NOINLINE Place() : here_(here()) {}
  NOINLINE bool stolen() const {
    const long distance = here() - here_;
    return distance > kFar || distance < -kFar;
  }

 private:
  static constexpr long kFar = 128 << 10;
  // Opaque, or the optimizer would ask once for a whole function.
  NOINLINE static long here() {
    long address = reinterpret_cast<long>(__builtin_frame_address(0));
    asm volatile("" : "+r"(address) : : "memory");
    return address;
  }
  long here_;
};

// Letters in the order in which things happened.
class Story {
 public:
  void tell(char letter) { text_[end_.fetch_add(1, std::memory_order_acq_rel)] = letter; }
  bool has(char letter) const { return at(letter) != std::string::npos; }
  bool in_order(char first, char second) const {
    return has(first) && has(second) && at(first) < at(second);
  }

 private:
  std::size_t at(char letter) const {
    return std::string(text_, end_.load(std::memory_order_acquire)).find(letter);
  }
  char text_[32] = {};
  std::atomic<std::size_t> end_{0};
};
struct Mark {
  Mark(Story &story, char letter) : story(story), letter(letter) {}
  ~Mark() { story.tell(letter); }
  Story &story;
  char letter;
};
NOINLINE void tell_late(Story &story, char letter) {
  linger();
  story.tell(letter);
}
NOINLINE void tell_and_fail(Story &story, char letter, long number) {
  linger();
  story.tell(letter);
  throw Failure(number);
}

// "A child's exception: if the continuation was not stolen, it goes on as in the serial program":
// the continuation does not run.
long child_not_stolen() {
  bool ran = false, stolen = false;
  const Place place;
  try {
    cilk_spawn fail(1);
    ran = true;
    stolen = place.stolen();
  } catch (const Failure &failure) {
    CHECK(!ran || stolen);
    CHECK(!place.stolen());
    return failure.number();
  }
  return 0;
}

// "... if it was, it is raised at the region's next sync": the code before the sync runs, the code
// after it does not.
long child_stolen() {
  bool before = false, stolen = false, after = false;
  const Place place;
  try {
    cilk_spawn fail(1);
    stolen = place.stolen();
    check_calm();
    linger();
    before = true;
    cilk_sync;
    after = true;
  } catch (const Failure &failure) {
    CHECK_EQ(before, stolen);
    CHECK(!after);
    return failure.number();
  }
  return 0;
}

// "An exception of the continuation first syncs, then goes on": children first, then locals, then
// the handler.
long continuation_syncs_first() {
  Story story;
  try {
    Mark local(story, 'l');
    cilk_spawn tell_late(story, 'c');
    cilk_spawn tell_late(story, 'd');
    fail_at_once(2);
  } catch (const Failure &failure) {
    story.tell('h');
    CHECK(story.in_order('c', 'l'));
    CHECK(story.in_order('d', 'l'));
    CHECK(story.in_order('l', 'h'));
    return failure.number();
  }
  return 0;
}
// The same where it leaves the function: the caller's handler.
NOINLINE void throwing_function(Story &story) {
  Mark local(story, 'l');
  cilk_spawn tell_late(story, 'c');
  fail_at_once(3);
}
long continuation_leaves() {
  Story story;
  try {
    throwing_function(story);
  } catch (const Failure &failure) {
    CHECK(story.in_order('c', 'l'));
    return failure.number();
  }
  return 0;
}

// "If there are several, the serially first one wins, the others are destroyed": Counted tells of
// the others.
long first_of_several(int which) {
  try {
    if (which & 1)
      cilk_spawn fail(1);
    else
      cilk_spawn fine(1);
    if (which & 2)
      cilk_spawn fail(2);
    else
      cilk_spawn fine(2);
    if (which & 4)
      cilk_spawn fail(3);
    else
      cilk_spawn fine(3);
    if (which & 8) fail_at_once(4);
  } catch (const Failure &failure) {
    CHECK_EQ(Counted::live(), 1);
    return failure.number();
  }
  return 0;
}

// "Children are never cancelled": what was spawned before is done, whoever throws.
long never_cancelled(bool child_throws) {
  std::atomic<long> done{0};
  try {
    for (int i = 0; i < 5; ++i)
      cilk_spawn [&done] {
        linger();
        done.fetch_add(1, std::memory_order_relaxed);
      }();
    if (child_throws) cilk_spawn fail(5);
    fail_at_once(6);
  } catch (const Failure &failure) {
    CHECK_EQ(done.load(), 5);
    return failure.number();
  }
  return 0;
}

// "Works with rethrow": the same object each time, destroyed once.
long rethrow() {
  const void *object = nullptr;
  try {
    try {
      try {
        cilk_spawn fail(7);
        linger();
      } catch (Failure &failure) {
        object = &failure;
        failure.counted.set(8);
        throw;
      }
    } catch (...) {
      CHECK_EQ(std::uncaught_exceptions(), 0);
      throw;
    }
  } catch (const Failure &failure) {
    CHECK(&failure == object);
    return failure.number();
  }
  return 0;
}

// "... nested": from a child's child, with the exceptions from below nested inside.
void nest(long n) {
  try {
    if (n == 0) return fail_at_once(-1);
    cilk_spawn nest(n - 1);
    linger();
  } catch (...) {
    std::throw_with_nested(Failure(n));
  }
}
long depth(const Failure &failure) {
  try {
    std::rethrow_if_nested(failure);
  } catch (const Failure &inner) {
    CHECK_EQ(inner.number(), failure.number() - 1);
    return 1 + depth(inner);
  }
  return 1;
}
long nested_depth() {
  try {
    nest(4);
  } catch (const Failure &failure) {
    return depth(failure);
  }
  return 0;
}

// "... and when the sync ends on another thread": the handler and the locals stay where they were,
// on any thread.
long another_thread(long n) {
  if (n == 0) return fail(9);
  const Place place;
  Counted local(n);
  try {
    cilk_spawn another_thread(n - 1);
    for (int i = 0; i < 3; ++i) linger();
    cilk_sync;
  } catch (const Failure &failure) {
    CHECK(!place.stolen());
    CHECK_EQ(local.value(), n);
    if (n % 2 == 0) throw;
    throw Failure(failure.number() + 1);
  }
  return 0;
}
long on_any_thread(long n) {
  try {
    another_thread(n);
  } catch (const Failure &failure) {
    return failure.number();
  }
  return 0;
}

// "std::uncaught_exceptions() and std::current_exception() stay right": in child, continuation,
// destructor and handler.
struct InFlight {
  explicit InFlight(int expected) : expected(expected) {}
  ~InFlight() { CHECK_EQ(std::uncaught_exceptions(), expected); }
  int expected;
};
NOINLINE void calm_and_fail(long number) {
  check_calm();
  InFlight inside(1);
  fail(number);
}
long globals(bool child, bool continuation) {
  try {
    InFlight local(child || continuation ? 1 : 0);
    if (child)
      cilk_spawn calm_and_fail(1);
    else
      cilk_spawn check_calm();
    check_calm();
    if (continuation) fail_at_once(2);
  } catch (const Failure &failure) {
    CHECK_EQ(std::uncaught_exceptions(), 0);
    const std::exception_ptr current = std::current_exception();
    try {
      std::rethrow_exception(current);
    } catch (const Failure &again) {
      CHECK(&again == &failure);
    }
    CHECK(std::current_exception() == current);
    return failure.number();
  }
  check_calm();
  return 0;
}

// "An argument that throws is an ordinary exception of the parent; nothing was spawned."
struct Argument {
  explicit Argument(long n) : counted(n) {
    if (n == 2) throw Failure(n);
  }
  Counted counted;
};
NOINLINE void take(Argument, Argument, bool &spawned) { spawned = true; }
long argument_throws(long n) {
  bool spawned = false, continued = false;
  try {
    cilk_spawn take(Argument(1), Argument(n), spawned);
    continued = true;
    cilk_sync;
  } catch (const Failure &failure) {
    CHECK(!spawned && !continued);
    return failure.number();
  }
  CHECK(spawned && continued);
  return 0;
}

// "The child ... destroys the statement's temporaries and by-value arguments, on exceptions too":
// before the handler.
NOINLINE void take_and_fail(Mark, const Mark &) { fail(3); }
long arguments_destroyed() {
  Story story;
  try {
    cilk_spawn take_and_fail(Mark(story, 'a'), Mark(story, 'b'));
    linger();
  } catch (const Failure &failure) {
    CHECK(story.has('a') && story.has('b'));
    return failure.number();
  }
  return 0;
}

// "Implicit: at the end of the function, after the return value is computed and before destructors
// of function-scope locals".
NOINLINE long at_end_of_function(Story &story, bool fails) {
  Mark local(story, 'l');
  if (fails)
    cilk_spawn tell_and_fail(story, 'c', 4);
  else
    cilk_spawn tell_late(story, 'c');
  return (story.tell('r'), 5);
}
long function_end(bool fails) {
  Story story;
  long result = 0;
  try {
    result = at_end_of_function(story, fails);
  } catch (const Failure &failure) {
    result = failure.number();
  }
  CHECK(fails || story.in_order('r', 'l'));
  CHECK(story.in_order('c', 'l'));
  return result;
}

// "at the end of a try block, before its locals die and before any handler".
long try_end(bool fails) {
  Story story;
  long result = 0;
  try {
    Mark local(story, 'l');
    if (fails)
      cilk_spawn tell_and_fail(story, 'c', 6);
    else
      cilk_spawn tell_late(story, 'c');
    linger();
  } catch (const Failure &failure) {
    story.tell('h');
    result = failure.number();
  }
  CHECK(story.in_order('c', 'l'));
  CHECK(!fails || story.in_order('l', 'h'));
  return result;
}

// "at the end of a cilk_scope, however it is left".
long scope_end(int way) {
  Story story;
  long result = 0;
  try {
    cilk_scope {
      Mark local(story, 'l');
      if (way == 1)
        cilk_spawn tell_and_fail(story, 'c', 7);
      else
        cilk_spawn tell_late(story, 'c');
      if (way == 2) fail_at_once(8);
    }
    story.tell('b');
  } catch (const Failure &failure) {
    result = failure.number();
  }
  CHECK(story.in_order('c', 'l'));
  CHECK_EQ(story.has('b'), way == 0);
  return result;
}

// "at the end of a loop body and of the loop": of cilk_for.
long loop_end(long which) {
  std::atomic<long> done{0};
  try {
    cilk_for (long i = 0; i < 12; ++i) {
      Counted local(i);
      cilk_spawn [&done, i, which] {
        linger();
        done.fetch_add(1, std::memory_order_relaxed);
        if (i >= which) throw Failure(i);
      }();
    }
    CHECK_EQ(done.load(), 12);
  } catch (const Failure &failure) {
    CHECK_EQ(Counted::live(), 1);
    return failure.number();
  }
  return -1;
}

// A function try block, of a function and of a constructor; a destructor that spawns, while an
// exception passes.
NOINLINE long function_try(bool child) try {
  if (child)
    cilk_spawn fail(1);
  else
    cilk_spawn fine(1);
  fail_at_once(2);
  return 0;
} catch (const Failure &failure) {
  return failure.number();
}
struct Built {
  Built(bool child, Story &story) try : member(story, 'm') {
    if (child)
      cilk_spawn tell_and_fail(story, 'c', 3);
    else
      cilk_spawn tell_late(story, 'c');
    fail_at_once(4);
  } catch (const Failure &failure) {
    CHECK(story.in_order('c', 'm'));
    throw Failure(failure.number() + 10);
  }
  Mark member;
};
struct Ended {
  ~Ended() {
    std::atomic<long> sum{0};
    const int before = std::uncaught_exceptions();
    try {
      cilk_spawn [&sum] { sum += fine(1); }();
      cilk_spawn fail(2);
      sum += fine(4);
    } catch (const Failure &failure) {
      sum += failure.number();
    }
    CHECK_EQ(std::uncaught_exceptions(), before);
    CHECK(sum == 3 || sum == 7);
  }
};
long constructed(bool child) {
  Story story;
  try {
    Ended ended;
    Built built(child, story);
  } catch (const Failure &failure) {
    CHECK_EQ(std::uncaught_exceptions(), 0);
    return failure.number();
  }
  return 0;
}

// An exception_ptr that a child fills outlives the stacks that it came over.
long pointer() {
  std::exception_ptr kept;
  cilk_spawn [&kept] {
    try {
      cilk_spawn fail(6);
      linger();
    } catch (...) {
      kept = std::current_exception();
    }
  }();
  linger();
  cilk_sync;
  CHECK_EQ(Counted::live(), 1);
  try {
    cilk_spawn fine(1);
    std::rethrow_exception(kept);
  } catch (const Failure &failure) {
    return failure.number();
  }
  return 0;
}

}  // namespace

int main() {
  for (int round = 0; round < 3; ++round) {
    BalanceCheck balance;
    printf("child %ld %ld\n", child_not_stolen(), child_stolen());
    printf("continuation %ld %ld\n", continuation_syncs_first(), continuation_leaves());
    printf("several");
    for (int which = 0; which < 16; ++which) printf(" %ld", first_of_several(which));
    printf("\nnever cancelled %ld %ld\n", never_cancelled(false), never_cancelled(true));
    printf("rethrow %ld, nested %ld, thread %ld %ld\n", rethrow(), nested_depth(), on_any_thread(5),
           on_any_thread(8));
    printf("globals %ld %ld %ld %ld\n", globals(false, false), globals(true, false),
           globals(false, true), globals(true, true));
    printf("arguments %ld %ld %ld\n", argument_throws(1), argument_throws(2),
           arguments_destroyed());
    printf("ends %ld %ld %ld %ld %ld %ld %ld\n", function_end(false), function_end(true),
           try_end(false), try_end(true), scope_end(0), scope_end(1), scope_end(2));
    printf("loop %ld %ld %ld\n", loop_end(0), loop_end(5), loop_end(12));
    printf("try %ld %ld, built %ld %ld, pointer %ld\n", function_try(false), function_try(true),
           constructed(false), constructed(true), pointer());
    check_calm();
  }
  return 0;
}
