// Variables that are declared outside of a spawned statement, a cilk_scope or the body of a
// cilk_for, but used only there. They are shared by reference like all others, keep their value
// between executions, and outlive the statement. (In the function's code they look like the
// statement's own variables, so each execution had a copy on its own stack.)

#include <cilk/cilk.h>
#include <cilk/race.h>

#include <atomic>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

struct Sum {
  long total, rounds;
  NOINLINE void add(long n) {
    linger();
    if (n == 0) total = rounds = 0;
    total += n;
    ++rounds;
    last = this;
  }
  static const Sum *last;
};
const Sum *Sum::last = nullptr;

struct Assigned {
  long total;
  Assigned &operator=(long n) {
    total = n == 0 ? 0 : total + n;
    last = total;
    return *this;
  }
  static long last;
};
long Assigned::last = 0;

NOINLINE long same(long n) {
  linger();
  return n;
}
NOINLINE long *fill(long *array, long n) {
  linger();
  for (long i = 0; i < n; ++i) array[i] = i * i;
  return array;
}

long scalar_in_a_block(long n) {
  long x;
  std::atomic<long> seen{0};
  for (long i = 0; i < n; ++i) {
    cilk_spawn {
      linger();
      if (i == 0) x = 0;
      x += i;
      seen.store(x, std::memory_order_relaxed);
    }
    linger();
    cilk_sync;
  }
  return seen.load(std::memory_order_relaxed);
}

// The declaration stands in the loop's own header.
long scalar_of_a_header(long n) {
  std::atomic<long> seen{0};
  for (long i = 0, x; i < n; ++i) {
    cilk_spawn {
      if (i == 0) x = 0;
      x += i;
      seen.store(x, std::memory_order_relaxed);
    }
    linger();
    cilk_sync;
  }
  return seen.load(std::memory_order_relaxed);
}

long by_goto(long n) {
  long x, i = 0;
  std::atomic<long> seen{0};
again:
  cilk_spawn {
    if (i == 0) x = 0;
    x += i;
    seen.store(x, std::memory_order_relaxed);
  }
  linger();
  cilk_sync;
  if (++i < n) goto again;
  return seen.load(std::memory_order_relaxed);
}

long object_of_a_call(long n) {
  Sum sum;
  for (long i = 0; i < n; ++i) {
    cilk_spawn sum.add(i);
    linger();
    cilk_sync;
  }
  return Sum::last->total * 100 + Sum::last->rounds;
}

long captured(long n) {
  long x;
  std::atomic<long> seen{0};
  for (long i = 0; i < n; ++i) {
    cilk_spawn [&x, &seen, i] {
      linger();
      if (i == 0) x = 0;
      x += i;
      seen.store(x, std::memory_order_relaxed);
    }();
    linger();
    cilk_sync;
  }
  return seen.load(std::memory_order_relaxed);
}

long assigned(long n) {
  Assigned a;
  for (long i = 0; i < n; ++i) {
    a = cilk_spawn same(i);
    linger();
    cilk_sync;
  }
  return Assigned::last;
}

// The parent has the array from its child.
long outlives_the_child() {
  long array[8];
  long *known;
  known = cilk_spawn fill(array, 8);
  linger();
  cilk_sync;
  long sum = 0;
  for (long i = 0; i < 8; ++i) sum += known[i];
  return sum;
}

long outlives_a_region() {
  long array[8];
  long *known = nullptr;
  long outer = cilk_spawn same(1);
  cilk_scope {
    known = cilk_spawn fill(array, 8);
    linger();
  }
  long overwritten[64];
  fill(overwritten, 64);
  cilk_sync;
  long sum = outer;
  for (long i = 0; i < 8; ++i) sum += known[i];
  return sum;
}

// The last child sees the writes of all others, which the counter orders.
long shared_by_children(long n) {
  long slots[16];
  std::atomic<long> next{0}, done{0}, sum{0};
  for (long k = 0; k < n; ++k) cilk_spawn {
      linger();
      const long i = next.fetch_add(1, std::memory_order_relaxed);
      slots[i] = i * i;
      if (done.fetch_add(1, std::memory_order_acq_rel) + 1 == n) {
        cilk::race::ignore ordered;
        for (long k = 0; k < n; ++k) sum.fetch_add(slots[k], std::memory_order_relaxed);
      }
    }
  cilk_sync;
  return sum.load(std::memory_order_relaxed);
}

long shared_by_iterations(long n) {
  long slots[16];
  std::atomic<long> done{0}, sum{0};
  cilk_for (long i = 0; i < n; ++i) {
    linger();
    slots[i] = i * i;
    if (done.fetch_add(1, std::memory_order_acq_rel) + 1 == n) {
      cilk::race::ignore ordered;
      for (long k = 0; k < n; ++k) sum.fetch_add(slots[k], std::memory_order_relaxed);
    }
  }
  return sum.load(std::memory_order_relaxed);
}

// One declared in the statement is each execution's own, without a sync between them.
long inner(long n) {
  std::atomic<long> next{0}, sum{0};
  for (long round = 0; round < n; ++round) cilk_spawn {
      const long i = next.fetch_add(1, std::memory_order_relaxed);
      long x, array[4];
      Counted counted(i);
      x = i;
      fill(array, 4);
      linger();
      cilk_spawn {
        long y;
        y = x;
        array[0] += y;
      }
      linger();
      cilk_sync;
      sum.fetch_add(x + array[0] + counted.value(), std::memory_order_relaxed);
    }
  cilk_sync;
  return sum.load(std::memory_order_relaxed);
}

// Declared in a spawned statement, used by one inside of that.
long between(long n) {
  std::atomic<long> next{0}, sum{0};
  for (long round = 0; round < n; ++round) cilk_spawn {
      const long i = next.fetch_add(1, std::memory_order_relaxed);
      long x;
      for (long k = 0; k < n; ++k) {
        cilk_spawn {
          if (k == 0) x = i;
          x += k;
          if (k == n - 1) sum.fetch_add(x, std::memory_order_relaxed);
        }
        linger();
        cilk_sync;
      }
    }
  cilk_sync;
  return sum.load(std::memory_order_relaxed);
}

// Two declared in one statement, each of a class, each made by a child.
NOINLINE Counted make(long n) {
  linger();
  return Counted(n);
}
long two_declared() {
  Counted a = cilk_spawn make(1), b = cilk_spawn make(2);
  linger();
  cilk_sync;
  return a.value() * 10 + b.value();
}

}  // namespace

int main() {
  for (int round = 0; round < 3; ++round) {
    BalanceCheck balance;
    printf("%ld %ld %ld\n", scalar_in_a_block(10), scalar_of_a_header(10), by_goto(10));
    printf("%ld %ld %ld\n", object_of_a_call(10), captured(10), assigned(10));
    printf("%ld %ld\n", outlives_the_child(), outlives_a_region());
    printf("%ld %ld %ld %ld %ld\n", shared_by_children(16), shared_by_iterations(16), inner(10),
           between(10), two_declared());
  }
  return 0;
}
