// The child begins after the last operand, whatever that is. The parent evaluates all operands
// before it continues and sets `phase`. Only the call belongs to the child.

#include <cilk/cilk.h>

#include <complex.h>
#include <atomic>

#include "../support/check.h"

namespace {

std::atomic<int> phase{0};
std::atomic<int> operands{0};
std::atomic<int> calls{0};

/// Each operand returns its value and counts itself.
template <class T>
NOINLINE T operand(T value) {
  linger();  // in a child, a thief would set phase meanwhile
  CHECK_EQ(phase, 0);
  ++operands;
  return value;
}
/// What each child does.
NOINLINE long child(long n) {
  linger();
  ++calls;
  return n + 1;
}

NOINLINE long none() { return child(0); }
__attribute__((nothrow)) NOINLINE long never_throws() { return child(0); }
long (*volatile pointer)() = none;
NOINLINE auto chosen() -> long (*)() { return operand(+none); }
NOINLINE auto chosen_one() -> long (*)(long) { return operand(+child); }

/// A class whose destructor is a call after the child's.
struct Text {
  explicit Text(long n) : length(operand(n)) {}
  Text(const Text &other) : length(operand(other.length)) {}
  ~Text() { ++destroyed; }
  NOINLINE long size() const { return child(length); }
  long length;
  static std::atomic<int> destroyed;
};
std::atomic<int> Text::destroyed{0};
NOINLINE long by_value(Text text) { return child(text.length); }
NOINLINE long by_reference(const Text &text) { return child(text.length); }
NOINLINE long both(long n, Text text) { return child(n + text.length); }

struct Object {
  explicit Object(long value) : value(value) {}
  long value;
  NOINLINE long get() { return child(value); }
  virtual NOINLINE long get_virtually() { return child(value); }
  static NOINLINE long of_the_class() { return child(1); }
  NOINLINE long operator()() { return child(value); }
  NOINLINE Object &operator+=(const Text &text) {
    value = child(text.length);
    return *this;
  }
  NOINLINE Object &operator=(long n) {
    value = child(n);
    return *this;
  }
  NOINLINE long operator<<(long n) { return child(n); }
  NOINLINE long operator[](const Text &text) { return child(text.length); }
  virtual ~Object() = default;
};
NOINLINE Object &object_of(Object &object) { return *operand(&object); }

struct Large {
  long values[9];
};
NOINLINE long of_large(Large large) { return child(large.values[8]); }
NOINLINE long of_complex(_Complex double z) { return child(static_cast<long>(__real__ z)); }
NOINLINE long of_reference(long &&n) { return child(n); }

template <class T>
NOINLINE long instance(T value) {
  phase = 0;
  long a = cilk_spawn none();  // the call does not depend on T: all instances share it
  long b = cilk_spawn child(operand(1));
  phase = 1;
  cilk_sync;
  return a + b + static_cast<long>(value);
}

/// Runs `statement`, which may use x and object, and checks what it left.
#define CASE(statement, result, how_many)   \
  do {                                      \
    Object object(3);                       \
    long x = 0;                             \
    phase = operands = calls = 0;           \
    statement;                              \
    phase = 1;                              \
    cilk_sync;                              \
    CHECK_EQ(x ? x : object.value, result); \
    CHECK_EQ(operands, how_many);           \
    CHECK_EQ(calls, 1);                     \
  } while (0)

}  // namespace

int main() {
  // No operand.
  CASE(x = cilk_spawn none(), 1, 0);
  CASE(x = cilk_spawn never_throws(), 1, 0);
  CASE(x = cilk_spawn(*pointer)(), 1, 0);
  CASE(x = cilk_spawn chosen()(), 1, 1);
  CASE(x = cilk_spawn object.get(), 4, 0);
  CASE(x = cilk_spawn object_of(object).get(), 4, 1);
  CASE(x = cilk_spawn(&object_of(object))->get_virtually(), 4, 1);
  CASE(x = cilk_spawn object_of(object).of_the_class(), 2, 1);
  CASE(x = cilk_spawn object_of(object)(), 4, 1);
  CASE(x = cilk_spawn(object_of(object).*operand(&Object::get))(), 4, 2);
  CASE(x = cilk_spawn(object_of(object).*operand(&Object::get_virtually))(), 4, 2);
  CASE(x = cilk_spawn Text(7).size(), 8, 1);
  CASE(x = cilk_spawn [n = operand(5L)] { return child(n); }(), 6, 1);

  // The last one of several, of each kind.
  CASE(x = cilk_spawn child(operand(2)), 3, 1);
  CASE(x = cilk_spawn chosen_one()(operand(2)), 3, 2);
  CASE(x = cilk_spawn by_value(Text(2)), 3, 1);
  CASE(x = cilk_spawn by_reference(Text(2)), 3, 1);
  CASE(x = cilk_spawn both(operand(1), Text(2)), 4, 2);
  CASE(x = cilk_spawn of_large(operand(Large{{0, 0, 0, 0, 0, 0, 0, 0, 4}})), 5, 1);
  CASE(x = cilk_spawn of_complex(operand(6)), 7, 1);
  CASE(x = cilk_spawn of_reference(operand(8L)), 9, 1);
  phase = 0;
  const Text outside(9);
  CASE(x = cilk_spawn by_value(outside), 10, 1);
  CASE(x = cilk_spawn object_of(object)[Text(2)], 3, 2);
  CASE(x = cilk_spawn(object_of(object) << operand(4)), 5, 2);

  // Of an assignment the left side comes last.
  CASE(cilk_spawn(object_of(object) += Text(2)), 3, 2);
  CASE(cilk_spawn(object_of(object) = operand(5)), 6, 2);

  CHECK_EQ(instance(1) + instance(2L) + instance('\3'), 3 * 3 + 6);
  CHECK_EQ(Text::destroyed, 7);
  return 0;
}
