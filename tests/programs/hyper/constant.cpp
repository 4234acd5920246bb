// Hyperobjects in classes with constexpr constructors. Clang evaluates those before the uses of
// hyperobjects become views: an object is initialized before the program starts, and the same
// constructor makes objects while it runs.
//
// matrix: flags -std=c++20
#include <cilk/cilk.h>

#include "../support/check.h"

namespace {

struct Add {
  static void zero(void *view) { *static_cast<long *>(view) = 0; }
  static void plus(void *left, void *right) {
    *static_cast<long *>(left) += *static_cast<long *>(right);
  }
};

class Account {
 public:
  constexpr explicit Account(long n) : sum(n), half(n / 2) { sum += 1; }
  constexpr Account() : Account(100) {}
  constexpr long get() const { return sum; }
  void add(long n) { sum += n; }
  long half_of() const { return half; }

 private:
  long cilk_reducer(Add::zero, Add::plus) sum;
  long half;
};
template <class T>
struct Of {
  constexpr explicit Of(T n) : sum(n) { sum += 1; }
  T cilk_reducer(Add::zero, Add::plus) sum;
};

constinit Account global(6), other;
constinit Of<long> instance(6);
constexpr Account kConstant(7);
constexpr long kEvaluated = Account(20).get();
static_assert(kEvaluated == 21);

NOINLINE void nothing() { linger(); }

/// In a continuation, which may be stolen.
NOINLINE void check(int i) {
  static constinit Account local(30);
  cilk_spawn nothing();
  kConstant.get();  // a view, which is reduced into the constant
  Account object(40);
  object.add(1);
  CHECK_EQ(object.get(), 42);
  CHECK_EQ(object.half_of(), 20);
  Of<long> of(3);
  CHECK_EQ(of.sum += 1, 5);
  cilk_for (int k = 0; k < 10; ++k) {
    global.add(k);
    local.add(1);
    instance.sum += 1;
  }
  cilk_sync;
  CHECK_EQ(global.get(), 7 + 45 * (i + 1));
  CHECK_EQ(local.get(), 31 + 10 * (i + 1));
  CHECK_EQ(instance.sum, 7 + 10 * (i + 1));
  CHECK_EQ(other.get(), 101);
  CHECK_EQ(kConstant.get(), 8);
}

}  // namespace

int main() {
  for (int i = 0; i < 20; ++i) check(i);
  puts("right");
}
