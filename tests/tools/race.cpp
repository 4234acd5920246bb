// Built with -fsanitize=thread: with -DRACE two strands of the cactus add to a global without
// order; without it they add under a mutex, and to what the sync orders.
#include <cilk/cilk.h>

#include <mutex>

#include "../programs/support/check.h"

namespace {

long calls;
std::mutex calls_mutex;

NOINLINE long fib(long n) {
  {
#ifndef RACE
    std::lock_guard lock(calls_mutex);
#endif
    ++calls;
  }
  if (n < 2) return n;
  const long x = cilk_spawn fib(n - 1);
  const long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

}  // namespace

int main() {
  CHECK_EQ(fib(10), 55);
  printf("right\n");
  return 0;
}
