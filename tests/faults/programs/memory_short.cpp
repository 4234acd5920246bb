// Exceptions thrown in children and continuations while malloc refuses everything (refuse.c, loaded
// before): the C++ library then takes them from its reserve. With an argument malloc refuses before
// the first spawn already. Checks which exception arrives, and that as many are destroyed as were
// made. Prints "right".
#include <cilk/cilk.h>
#include <dlfcn.h>

#include <new>

#include "../../programs/support/check.h"

namespace {

long alive;  // atomic

struct Failure {
  explicit Failure(long n) : number(n) { __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED); }
  Failure(const Failure &other) : number(other.number) {
    __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED);
  }
  ~Failure() { __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED); }
  long number;
};

NOINLINE long fails(long n) {
  linger();
  throw Failure(n);
}

NOINLINE long fails_to_allocate(long n) {
  linger();
  volatile long *memory = static_cast<long *>(operator new(1000));  // bad_alloc
  const long found = memory[0] + n;
  operator delete(const_cast<long *>(memory));
  return found;
}

long both(long n) {
  const long a = cilk_spawn fails(n);
  const long b = fails(n + 1);
  cilk_sync;
  return a + b;
}

long tree(long n, long first) {
  if (n == 0) return both(first);
  const long a = cilk_spawn tree(n - 1, first);
  const long b = tree(n - 1, first + (1L << n));
  cilk_sync;
  return a + b;
}

long fib(long n) {
  if (n < 2) return n;
  const long a = cilk_spawn fib(n - 1);
  const long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

long out_of_memory(long n) {
  if (n == 0) return fails_to_allocate(n);
  const long a = cilk_spawn out_of_memory(n - 1);
  const long b = fails_to_allocate(n);
  cilk_sync;
  return a + b;
}

}  // namespace

int main(int argc, char **) {
  auto begin = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "refuse_begin"));
  auto end = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "refuse_end"));
  CHECK(begin != nullptr && end != nullptr);
  if (argc > 1) begin();  // at the start of the runtime already: it ends with a message
  CHECK_EQ(fib(10), 55);  // starts the runtime and makes some stacks
  long caught = 0, without_memory = 0;
  for (int round = 0; round < 20; ++round) {
    begin();
    try {
      tree(3, 100);
    } catch (const Failure &failure) {
      caught += failure.number;
    }
    try {
      out_of_memory(4);
    } catch (const std::bad_alloc &) {
      ++without_memory;
    }
    end();
    CHECK_EQ(alive, 0);
  }
  CHECK_EQ(caught, 20 * 100);
  CHECK_EQ(without_memory, 20);
  printf("right\n");
  return 0;
}
