// A class object returned out of a nested region, or out of a handler of one, while children of a
// region around it are in flight, one of which throws: the object had no owner where the outer sync
// raised the exception, and was never destroyed.

#include <cilk/cilk.h>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

NOINLINE long child(long n) {
  linger();
  if (n % 2 == 0) throw n;
  return n;
}
NOINLINE Counted make(long n) {
  if (n % 7 == 6) throw n;
  return Counted(n);
}

NOINLINE Counted from_a_try_block(long n) {
  long x = cilk_spawn child(n);
  try {
    cilk_spawn child(n / 2);
    return make(n);
  } catch (int) {
  }
  cilk_sync;
  return make(x);
}

NOINLINE Counted from_a_handler(long n) {
  long x = cilk_spawn child(n);
  try {
    cilk_spawn child(n / 2);
  } catch (long m) {
    Counted other(m);
    return make(m + 1);
  }
  cilk_sync;
  return make(x);
}

NOINLINE Counted a_variable(long n) {
  long x = cilk_spawn child(n);
  try {
    Counted result = cilk_spawn make(n);
    child(n / 2);
    return result;
  } catch (int) {
  }
  cilk_sync;
  return make(x);
}

NOINLINE Counted a_variable_of_an_inner_block(long n) {
  long x = cilk_spawn child(n);
  try {
    cilk_spawn child(n / 2);
    if (n % 3 != 0) {
      Counted result = make(n);
      return result;
    }
  } catch (int) {
  }
  cilk_sync;
  return make(x);
}

NOINLINE Counted a_variable_around(long n) {
  Counted result = make(1);
  cilk_spawn child(n);
  try {
    cilk_spawn child(n / 2);
    return result;
  } catch (int) {
  }
  cilk_sync;
  return result;
}

NOINLINE Counted through_two(long n) {
  long x = cilk_spawn child(n / 4);
  try {
    cilk_spawn child(n / 2);
    try {
      cilk_spawn child(n);
      return make(n + 2);
    } catch (char) {
    }
  } catch (long m) {
    if (m % 3 == 0) return make(m + 3);
    if (m % 3 == 1) throw;
  }
  cilk_sync;
  return make(x);
}

NOINLINE Counted through_two_handlers(long n) {
  long x = cilk_spawn child(n / 4);
  try {
    cilk_spawn child(n / 2);
    try {
      cilk_spawn child(n);
    } catch (long m) {
      return make(m + 2);
    }
  } catch (long m) {
    return make(m + 3);
  }
  cilk_sync;
  return make(x);
}

struct Base {
  virtual ~Base() = default;
  Counted counted{1};
};
struct Derived : Base {
  Counted more{2};
};

NOINLINE Derived a_virtual_destructor(long n) {
  cilk_spawn child(n);
  try {
    cilk_spawn child(n / 2);
    return Derived();
  } catch (int) {
  }
  return Derived();
}

template <class F>
void print(const char *name, F function) {
  for (long n = 0; n < 32; ++n) {
    try {
      printf("%s %ld\n", name, function(n));
    } catch (long m) {
      printf("%s threw %ld\n", name, m);
    }
    CHECK_EQ(Counted::live(), 0);
  }
}

}  // namespace

int main() {
  print("try", [](long n) { return from_a_try_block(n).value(); });
  print("handler", [](long n) { return from_a_handler(n).value(); });
  print("variable", [](long n) { return a_variable(n).value(); });
  print("inner", [](long n) { return a_variable_of_an_inner_block(n).value(); });
  print("around", [](long n) { return a_variable_around(n).value(); });
  print("two", [](long n) { return through_two(n).value(); });
  print("handlers", [](long n) { return through_two_handlers(n).value(); });
  print("virtual", [](long n) { return a_virtual_destructor(n).more.value(); });
  return 0;
}
