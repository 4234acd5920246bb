// An inner sync waits only for the children of its own region. An outer child waits for a flag that
// the continuation sets after the inner sync, so the program would hang if that sync waited for the
// outer child. The outer child only waits if its continuation is stolen: else nothing would set the
// flag.

#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "../support/check.h"
#include "../support/counted.h"
#include "../support/failure.h"

namespace {

// Set by the continuation, after the inner sync.
struct Signal {
  std::atomic<bool> is_set{false};
  std::atomic<bool> is_waited_for{false};

  void set() { is_set.store(true, std::memory_order_release); }

  // The continuation runs beside this: it was stolen.
  void stolen() { is_waited_for.store(true, std::memory_order_release); }
};

// Waits for the signal if the continuation was stolen. It waits for a steal only for a while.
NOINLINE void wait(Signal &signal) {
  using clock = std::chrono::steady_clock;
  const auto until = clock::now() + std::chrono::milliseconds(20);
  while (!signal.is_waited_for.load(std::memory_order_acquire)) {
    if (__cilkrts_get_nworkers() == 1 || clock::now() > until) return;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  while (!signal.is_set.load(std::memory_order_acquire))
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

NOINLINE void wait_and_throw(Signal &signal, long number) {
  wait(signal);
  throw Failure{number};
}

long scope() {
  Signal signal;
  long a = 0, b = 0;
  cilk_spawn wait(signal);
  signal.stolen();
  cilk_scope {
    a = cilk_spawn fine(1);
    b = fine(2);
  }
  const long sum = a + b;
  signal.set();
  return sum;
}

// An explicit sync in the middle of the scope, and variables of every kind of use.
long explicit_sync(long parameter) {
  Signal signal;
  const std::string text = "text";
  long read = parameter * 2, written = 0, both = 5, never_before;
  cilk_spawn wait(signal);
  signal.stolen();
  cilk_scope {
    long own = cilk_spawn fine(read);
    Counted counted(7);
    written = fine(4);
    cilk_sync;
    both += own + counted.value();
    never_before = static_cast<long>(text.size()) + parameter;
    cilk_spawn fine(both);
  }
  signal.set();
  return written * 10000 + both * 100 + never_before;
}

// All ways out of a try block.
enum class Way { kEnd, kReturn, kBreak, kContinue, kGoto, kThrow };

long try_block(Way way) {
  long result = 0;
  Signal signals[2];
  for (int round = 0; round < 2; ++round) {
    Signal &signal = signals[round];
    Counted local(3);
    cilk_spawn wait(signal);
    signal.stolen();
    try {
      Counted inner(4);
      const long a = cilk_spawn fine(10);
      if (way == Way::kReturn) {
        cilk_sync;
        signal.set();
        return result + a;
      }
      cilk_spawn fine(20);
      cilk_sync;
      signal.set();
      result += a;
      if (way == Way::kBreak) break;
      if (way == Way::kContinue) continue;
      if (way == Way::kGoto) goto out;
      if (way == Way::kThrow) throw Failure{round + 1};
      result += 1000;
    } catch (const Failure &failure) {
      result += 10000 * failure.number;
    }
    result += local.value();
  }
  return result;
out:
  return -result;
}

// Each level has a child that waits for what is done after the sync of the next one.
long three_deep(long n) {
  Signal first, second;
  long sum = 0;
  cilk_spawn wait(first);
  first.stolen();
  cilk_scope {
    cilk_spawn wait(second);
    second.stolen();
    cilk_scope {
      long a = cilk_spawn fine(n);
      try {
        long b = cilk_spawn fine(2 * n);
        long c = cilk_spawn fail_if(n == 3, 5);
        cilk_sync;
        sum += b + c;
      } catch (const Failure &failure) {
        sum += 100 * failure.number;
      }
      cilk_sync;
      sum += a;
    }
    second.set();
  }
  first.set();
  cilk_sync;
  return sum;
}

// An outer child in flight from the iteration before.
long across_iterations() {
  Signal signals[5];
  long sums[5] = {};
  long last = 0;  // of the iteration before
  for (int i = 0; i < 5; ++i) {
    cilk_scope {
      long a = cilk_spawn fine(i);
      sums[i] = last + fine(1);
      cilk_sync;
      last += a;
    }
    if (i > 0) {
      signals[i - 1].set();
    }
    cilk_spawn wait(signals[i]);
    signals[i].stolen();
  }
  signals[4].set();
  cilk_sync;
  long sum = 0;
  for (long s : sums) sum = sum * 10 + s;
  return sum;
}

template <class T>
T in_template(T n) {
  Signal signal;
  T result{};
  cilk_spawn wait(signal);
  signal.stolen();
  try {
    T x = cilk_spawn fine(n);
    linger();
    cilk_sync;
    result = x;
  } catch (...) {
  }
  signal.set();
  return result;
}

struct Object {
  explicit Object(long n) : n(n) {
    Signal signal;
    cilk_spawn wait(signal);
    signal.stolen();
    cilk_scope {
      cilk_spawn fine(1);
      this->n += spawning();
    }
    signal.set();
  }
  long spawning() {
    long r = cilk_spawn fine(n);
    linger();
    cilk_sync;
    return r;
  }
  long in_lambda() {
    return [this](long more) {
      Signal signal;
      cilk_spawn wait(signal);
      signal.stolen();
      cilk_scope {
        long x = cilk_spawn fine(more);
        n += fine(1);
        cilk_sync;
        n += x;
      }
      signal.set();
      cilk_sync;
      return n;
    }(30);
  }
  long n;
};

// In a spawned block, which is a frame of its own already.
long in_a_block() {
  Signal signal;
  long result = 0;
  cilk_spawn {
    Signal inner;
    cilk_spawn wait(inner);
    inner.stolen();
    cilk_scope {
      long x = cilk_spawn fine(6);
      linger();
      cilk_sync;
      result = x;
    }
    inner.set();
  }
  cilk_spawn wait(signal);
  signal.stolen();
  cilk_scope {
    cilk_spawn { fine(1); }
  }
  signal.set();
  cilk_sync;
  return result;
}

// The outer child throws as well, after the inner sync. Its exception is raised at the outer sync,
// whatever the inner region has caught.
long outer_throws(int inner_fails) {
  long caught = 0;
  try {
    Signal signal;
    cilk_spawn wait_and_throw(signal, 7);
    signal.stolen();
    try {
      Counted counted(1);
      cilk_spawn fail_if(inner_fails & 1, 8);
      fail_if(inner_fails & 2, 9);
      cilk_sync;
    } catch (const Failure &failure) {
      caught = failure.number;
    }
    signal.set();
    cilk_sync;
  } catch (const Failure &failure) {
    return failure.number;  // `caught` depends on how far the continuation came
  }
  return -caught;
}

// An exception that leaves an inner region waits for the region's children, and the serially first
// of all wins.
long passes_out(int which) {
  BalanceCheck balance;
  try {
    Counted outer(1);
    cilk_spawn fail_if(which & 1, 1);
    cilk_scope {
      Counted inner(2);
      cilk_spawn fail_if(which & 2, 2);
      fail_if(which & 4, 3);
      cilk_scope {
        cilk_spawn fail_if(which & 8, 4);
        cilk_spawn fail_if(false, 4);
      }
    }
    cilk_spawn fail_if(which & 16, 5);
  } catch (const Failure &failure) {
    return failure.number;
  }
  return 0;
}

// Left by exceptions alone; and one whose end only a handler reaches.
long no_end(long n) {
  long result = 0;
  cilk_spawn fine(1);
  try {
    cilk_spawn fine(2);
    throw Failure{n};
  } catch (const Failure &failure) {
    result = failure.number;
  }
  cilk_spawn fine(3);
  cilk_scope {
    try {
      cilk_spawn fine(4);
      throw Failure{n};
    } catch (const Failure &failure) {
      result += failure.number;
    }
    cilk_spawn fine(5);
  }
  return result;
}

// Arrays whose size is known at run time live to the end of their block, alloca()'s to the end of
// the function.
NOINLINE void fill(char *memory, int n, char c) {
  for (int i = 0; i < n; ++i) memory[i] = c;
}
long arrays(int n) {
  char *kept = nullptr;
  long sum = 0;
  cilk_spawn fine(1);
  cilk_scope {
    kept = static_cast<char *>(__builtin_alloca(static_cast<size_t>(n)));
    cilk_spawn fill(kept, n, 1);
    cilk_spawn fine(1);
  }
  cilk_scope {
    cilk_spawn fine(2);
    cilk_spawn fine(3);
  }
  for (int i = 0; i < n; ++i) sum += kept[i];
  return sum;
}

// A class value that is returned from within.
Counted returns_object(int which) {
  Signal signal;
  cilk_spawn wait(signal);
  signal.stolen();
  try {
    long x = cilk_spawn fine(5);
    linger();
    cilk_sync;
    signal.set();
    if (which == 0) return Counted(x);
    Counted named(x + 1);
    if (which == 1) return named;
    throw Failure{x + 2};
  } catch (const Failure &failure) {
    return Counted(failure.number);
  }
}

}  // namespace

int main() {
  for (int round = 0; round < 3; ++round) {
    printf("scope %ld %ld\n", scope(), explicit_sync(3));
    for (Way way : {Way::kEnd, Way::kReturn, Way::kBreak, Way::kContinue, Way::kGoto, Way::kThrow})
      printf("try %ld\n", try_block(way));
    printf("deep %ld %ld\n", three_deep(2), three_deep(3));
    printf("iterations %ld\n", across_iterations());
    printf("template %ld %d\n", in_template(4L), in_template(5));
    Object object(8);
    printf("object %ld %ld\n", object.n, object.in_lambda());
    printf("block %ld\n", in_a_block());
    for (int which = 0; which < 4; ++which) printf("outer throws %ld\n", outer_throws(which));
    for (int which = 0; which < 32; ++which) printf("passes out %ld\n", passes_out(which));
    printf("no end %ld\n", no_end(6));
    printf("arrays %ld\n", arrays(40));
    for (int which = 0; which < 3; ++which) printf("object %ld\n", returns_object(which).value());
  }
  CHECK_EQ(Counted::live(), 0);
  return 0;
}
