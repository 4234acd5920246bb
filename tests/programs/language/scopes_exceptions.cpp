// Variable-length arrays in C++, with spawns in their scopes, and exceptions that leave them:
// arrays keep their values, objects are destroyed before the array around them goes, and the peak
// memory is that of the serial program, which the matrix compares.
//
// matrix: flags -Wno-vla-cxx-extension
// matrix: args 30000
// matrix: chaos-args 4000
// matrix: sanitize-args 100
#include <cilk/cilk.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "../support/check.h"

namespace {

NOINLINE void child(long i) { asm volatile("" : : "r"(i)); }
NOINLINE void fill(long *a, long n, long seed) {
  for (long i = 0; i < n; ++i) a[i] = seed + i;
}
NOINLINE void check_filled(const long *a, long n, long seed) {
  for (long i = 0; i < n; ++i) CHECK_EQ(a[i], seed + i);
}
NOINLINE long may_throw(long i, bool throws) {
  if (throws) throw i;
  return i;
}

// Looks at the array when it is destroyed.
struct Watcher {
  const long *array;
  long n, seed;
  ~Watcher() { check_filled(array, n, seed); }
};

NOINLINE long watched(long rounds, long n) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    long a[n];
    fill(a, n, i);
    const Watcher watcher{a, n, i};
    cilk_spawn child(i);
    long b[n];
    fill(b, n, -i);
    const Watcher inner{b, n, -i};
    cilk_spawn child(i);
    if (i % 2) cilk_sync;
    sum += a[n - 1] + b[n - 1];
  }
  cilk_sync;
  return sum;
}

// Exceptions of the continuation and of the child. Few: the serial program gives an array that an
// exception leaves back only when the function ends.
NOINLINE long left_by_exceptions(long rounds, long n) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    try {
      long a[n];
      fill(a, n, i);
      const Watcher watcher{a, n, i};
      cilk_spawn child(i);
      sum += may_throw(i, i % 3 == 0);
      long x = cilk_spawn may_throw(i, i % 3 == 1);
      long b[n];
      fill(b, n, i);
      const Watcher inner{b, n, i};
      cilk_sync;
      sum += x;
    } catch (long caught) {
      sum += 1000 * caught;
    }
  }
  return sum;
}

// An array that an exception has left is released with the next scope around it, or at the end of
// the function.
NOINLINE long functions_left_by_exceptions(long rounds, long n) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    try {
      sum += [n](long j) {
        cilk_spawn child(j);
        long a[n];
        fill(a, n, j);
        cilk_spawn child(j);
        return may_throw(a[0], j % 2) + a[n - 1];
      }(i);
    } catch (long caught) {
      sum += caught;
    }
  }
  return sum;
}

// The temporary's constructor, which is inlined, throws in the arguments of a spawn, in a scope:
// the clone that goes on destroys what another has constructed. If it does not throw, the scope may
// end while the child still uses the temporary.
struct Member {
  NOINLINE explicit Member(long i) : value(new long(i)), self(this) {}
  Member(const Member &) = delete;
  Member &operator=(const Member &) = delete;
  NOINLINE ~Member() {
    CHECK(self == this);
    delete value;
  }
  long *value;
  Member *self;
};
struct Name {
  Name(long i, long every) : first(i), second(i + 1) {
    if (i % every == every - 1) throw i;
    Member local(i);
  }
  Member first, second;
};
NOINLINE void take(const Name &name, long *out) {
  CHECK(name.first.self == &name.first);
  *out = *name.first.value + *name.second.value;
}

NOINLINE long temporaries(long rounds, long n, long every) {
  long sum = 0, out[2] = {0, 0};
  for (long i = 0; i < rounds; ++i) {
    try {
      for (long j = 0; j < 2; ++j) {
        long a[n];
        fill(a, n, i);
        cilk_spawn take(Name(i + j, every), &out[j]);
        check_filled(a, n, i);
      }
      cilk_sync;
      sum += out[0] + out[1];
    } catch (long caught) {
      sum += caught;
    }
  }
  return sum;
}

NOINLINE long in_loops_and_scopes(long rounds, long n) {
  long outer[n];
  fill(outer, n, 1);
  std::string sums(static_cast<std::size_t>(rounds), '\0');
  cilk_for (long i = 0; i < rounds; ++i) {
    long a[n];
    fill(a, n, i);
    cilk_scope {
      cilk_spawn child(i);
      long b[n];
      fill(b, n, i);
      cilk_spawn fill(a, n, i + 1);
      check_filled(b, n, i);
    }
    check_filled(a, n, i + 1);
    cilk_spawn child(i);
    {
      char text[n];
      std::memset(text, static_cast<int>(i % 64), sizeof text);
      cilk_spawn child(i);
      sums[static_cast<std::size_t>(i)] = text[n - 1];
    }
    check_filled(a, n, i + 1);
  }
  check_filled(outer, n, 1);
  long sum = 0;
  for (const char c : sums) sum += c;
  return sum;
}

}  // namespace

int main(int argc, char **argv) {
  const long rounds = size_argument(argc, argv, 1000), n = 128;
  printf("watched %ld\n", watched(rounds, n));
  printf("left_by_exceptions %ld\n", left_by_exceptions(60, n));
  printf("functions_left_by_exceptions %ld\n", functions_left_by_exceptions(rounds / 4, n));
  printf("temporaries %ld\n", temporaries(rounds, n, rounds / 10 + 3));
  printf("in_loops_and_scopes %ld\n", in_loops_and_scopes(rounds / 2, n));
  return 0;
}
