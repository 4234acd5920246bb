// A sync in a try block that does not spawn, inside of a region that does: what a child threw was
// raised to the handlers of the inner try block. In the serial program it was thrown before control
// came there.

#include <cilk/cilk.h>

#include <atomic>

#include "../support/check.h"

namespace {

std::atomic<long> alive{0};
long copies = 0;

/// Its destructor may throw, for the compiler.
struct Object {
  explicit Object(long n) : value(n) { ++alive; }
  Object(const Object &) = delete;
  ~Object() noexcept(false) { --alive; }
  long value;
};

/// Counts what is caught by value.
struct Fault {
  explicit Fault(long n) : number(n) { ++alive; }
  Fault(const Fault &other) : number(other.number) { ++alive, ++copies; }
  ~Fault() { --alive; }
  long number;
};

NOINLINE void fail_if(bool fails, long n) {
  linger();
  if (fails) throw Fault(n);
}

/// The same handlers inside and outside, with and without an object in between.
NOINLINE long same_handlers(long n) {
  long result = 1;
  try {
    cilk_spawn fail_if(n & 1, n);
    try {
      if (n & 2) cilk_sync;
      Object local(n);
      cilk_sync;
      fail_if(n & 4, 10 * n);
    } catch (Fault fault) {
      result += 1000 + fault.number;
    }
    result += 10;
  } catch (Fault fault) {
    result = 100 + fault.number;
  }
  return result;
}

/// A sync three try blocks deep, with objects between, and what is thrown there is for one of
/// these.
NOINLINE long deep(long n) {
  long result = 0;
  try {
    Object a(n);
    cilk_spawn fail_if(n & 1, n);
    Object b(n);
    try {
      Object c(n);
      try {
        Object d(n);
        try {
          Object e(n);
          cilk_sync;
          if (n & 2) throw n;
          fail_if(n & 4, n);
        } catch (int) {
          result += 1000;
        }
      } catch (const Fault &fault) {
        Object f(n);
        result += 2000 + fault.number;
      }
    } catch (...) {
      result += 4000;
    }
  } catch (const Fault &fault) {
    result = 100 + fault.number;
  }
  return result;
}

/// No handler of the function takes it; with an object outside of the try block, and without.
NOINLINE long leaves(long n) {
  cilk_spawn fail_if(n & 1, n);
  try {
    cilk_sync;
    fail_if(n & 2, n);
  } catch (...) {
    return -n;
  }
  return n;
}

NOINLINE long leaves_an_object(long n) {
  Object a(n);
  cilk_spawn fail_if(n & 1, n);
  try {
    Object b(n);
    cilk_sync;
    fail_if(n & 2, n);
  } catch (...) {
    return -n;
  }
  return n;
}

/// Nothing but the sync can throw here: no handler is left.
NOINLINE long nothing_else(long n) {
  long result = n;
  cilk_spawn fail_if(n & 1, n);
  try {
    cilk_sync;
  } catch (...) {
    result = 1000;
  }
  return result;
}

/// Many times, also on the path of a handler.
NOINLINE long in_a_loop(long n) {
  long result = 0;
  for (long i = 0; i < 4; ++i) {
    try {
      cilk_spawn fail_if((n & 1) && i == 2, n);
      try {
        fail_if((n & 2) && i == 1, n);
        cilk_sync;
        if (n & 4) continue;
      } catch (const Fault &fault) {
        result += fault.number;
      }
      result += 10;
    } catch (const Fault &fault) {
      result += 100 * fault.number;
    }
  }
  return result;
}

/// Around the try block: a spawned block, an iteration, a cilk_scope, a lambda.
NOINLINE long elsewhere(long n) {
  long result[4] = {};
  try {
    cilk_spawn {
      cilk_spawn fail_if(n & 1, n);
      try {
        cilk_sync;
        result[0] = 1;
      } catch (...) {
        result[0] = 1000;
      }
    }
    linger();
    cilk_sync;
  } catch (const Fault &fault) {
    result[0] = fault.number;
  }
  try {
    cilk_for (int i = 0; i < 2; ++i) {
      cilk_spawn fail_if((n & 2) && i == 1, n);
      try {
        Object local(i);
        cilk_sync;
      } catch (...) {
        result[1] = 1000;
      }
    }
  } catch (const Fault &fault) {
    result[1] = fault.number;
  }
  try {
    cilk_scope {
      cilk_spawn fail_if(n & 4, n);
      try {
        cilk_sync;
        result[2] = 3;
      } catch (...) {
        result[2] = 1000;
      }
    }
  } catch (const Fault &fault) {
    result[2] = fault.number;
  }
  try {
    result[3] = [&] {
      cilk_spawn fail_if(n & 1, n);
      try {
        cilk_sync;
        return 4L;
      } catch (...) {
        return 1000L;
      }
    }();
  } catch (const Fault &fault) {
    result[3] = fault.number;
  }
  return result[0] + 10 * result[1] + 100 * result[2] + 1000 * result[3];
}

/// The try block depends on no parameter: instances may share it.
template <class T>
NOINLINE long in_a_template(long n) {
  T result = 0;
  cilk_spawn fail_if(n & 1, n);
  try {
    try {
      cilk_sync;
      fail_if(true, 5);
    } catch (int) {
    }
  } catch (...) {
    alive += 0;
  }
  return result + static_cast<T>(n);
}

/// The try block depends on one, the statement with the sync does not.
template <class T>
NOINLINE long in_part_of_a_template(long n) {
  T result = 0;
  cilk_spawn fail_if(n & 1, n);
  try {
    T more = static_cast<T>(n);
    {
      cilk_sync;
    }
    result += more;
    try {
      result += more;
      for (;;) {
        cilk_sync;
        break;
      }
      fail_if(n & 2, n);
    } catch (int) {
      result = 1000;
    }
  } catch (...) {
    result += 1000;
  }
  cilk_spawn fail_if(n & 4, n);
  try {
    T more = static_cast<T>(n);
    for (bool first = true; first; first = false) {
      try {
        cilk_sync;
      } catch (int) {
      }
    }
    do {
      try {
        cilk_sync;
        fail_if(true, 5);
      } catch (int) {
      }
    } while (false);
    result += more;
  } catch (...) {
    result += 10;
  }
  return result;
}

/// An inner region, in a try block that is none.
NOINLINE long region_inside(long n) {
  long result = 0;
  cilk_spawn fail_if(n & 1, n);
  try {
    try {
      cilk_spawn fail_if(n & 2, 10 * n);
      try {
        cilk_sync;
        fail_if(n & 4, 100 * n);
      } catch (...) {
        result += 1;
      }
    } catch (int) {
      result += 2;
    }
    result += 10;
    cilk_sync;
  } catch (const Fault &fault) {
    result += 20 + fault.number;
  }
  return result;
}

template <class F>
void show(F function, long n) {
  try {
    printf("%ld ", function(n));
  } catch (const Fault &fault) {
    printf("threw %ld ", fault.number);
  }
}

}  // namespace

int main() {
  for (long n = 0; n < 8; ++n) {
    show(same_handlers, n);
    show(deep, n);
    show(leaves, n);
    show(leaves_an_object, n);
    show(nothing_else, n);
    show(in_a_loop, n);
    show(elsewhere, n);
    show(in_a_template<long>, n);
    show(in_a_template<short>, n);
    show(in_part_of_a_template<long>, n);
    show(in_part_of_a_template<short>, n);
    show(in_part_of_a_template<double>, n);
    show(region_inside, n);
    printf("copies %ld alive %ld\n", copies, alive.load());
  }
  return 0;
}
