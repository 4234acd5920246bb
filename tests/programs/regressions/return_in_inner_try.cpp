// A class object returned out of a try block that does not spawn, inside of one that does: the sync
// of the outer block raised what a child threw to the handlers of the inner one. A variable of an
// inner block that is returned leaked.

#include <cilk/cilk.h>

#include <atomic>

#include "../support/check.h"

namespace {

std::atomic<long> alive{0};

struct Object {
  explicit Object(long n) : value(n) { ++alive; }
  Object(Object &&other) noexcept : value(other.value) { ++alive; }
  ~Object() { --alive; }
  long value;
};

/// Nothing has to be destroyed.
struct Plain {
  explicit Plain(long n) : value(n) {}
  long value;
};

/// Its destructor may throw, and it is returned in registers.
struct [[clang::trivial_abi]] Loud {
  explicit Loud(long n) : value(n) { ++alive; }
  Loud(Loud &&other) noexcept : value(other.value) { ++alive; }
  ~Loud() noexcept(false) { --alive; }
  long value;
};

NOINLINE void fail_if(bool fails, long n) {
  linger();
  if (fails) throw n;
}

template <class T>
NOINLINE T out_of_a_try(long n) {
  long result = 1;
  try {
    cilk_spawn fail_if(n & 1, n);
    try {
      T local(n);
      if (n & 2) return T(5);
      fail_if(n & 4, n);
    } catch (...) {
      result = 3;
    }
    result += 10;
  } catch (long caught) {
    result = 100 + caught;
  }
  return T(result);
}

/// No handler of the function takes it.
template <class T>
NOINLINE T with_other_handlers(long n) {
  try {
    cilk_spawn fail_if(n & 1, n);
    try {
      if (n & 2) return T(7);
    } catch (...) {
      return T(8);
    }
  } catch (int) {
    return T(9);
  }
  return T(10);
}

/// Built in the return slot under its own name, or copied there.
template <class T>
NOINLINE T named(long n) {
  long result = 1;
  try {
    cilk_spawn fail_if(n & 1, n);
    try {
      try {
        T local(n);
        if (n & 2) return local;
        fail_if(n & 4, n);
      } catch (int) {
        return T(11);
      }
      T one(12), other(13);
      if (n & 4) return one;
      return other;
    } catch (...) {
      result = 3;
    }
    result += 10;
  } catch (long caught) {
    result = 100 + caught;
  }
  return T(result);
}

template <class T>
NOINLINE T variable_of_an_inner_block(long n) {
  cilk_spawn fail_if(n & 1, n);
  if (n & 2) {
    T result(40);
    return result;
  }
  return T(60);
}

/// Goes on after the exception, and returns again.
template <class T>
NOINLINE T until_it_returns(long n) {
  long caught = 0;
  for (long i = n & 3;; --i) {
    try {
      cilk_spawn fail_if(i > 0, i);
      try {
        if (n & 4) return T(70 + caught);
        T other(caught);
        fail_if(i > 1, i);
        if (i == 1) return T(90);
      } catch (...) {
      }
      if (i <= 0) return T(80 + caught);
    } catch (long thrown) {
      caught += thrown;
    }
  }
}

template <class F>
void show(F function, long n) {
  try {
    printf("%ld ", function(n).value);
  } catch (long thrown) {
    printf("threw %ld ", thrown);
  }
}

template <class T>
void all() {
  for (long n = 0; n < 8; ++n) {
    show(out_of_a_try<T>, n);
    show(with_other_handlers<T>, n);
    show(named<T>, n);
    show(variable_of_an_inner_block<T>, n);
    show(until_it_returns<T>, n);
    printf("alive %ld\n", alive.load());
  }
}

}  // namespace

int main() {
  all<Object>();
  all<Loud>();
  all<Plain>();
  return 0;
}
