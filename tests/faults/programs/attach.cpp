// Threads of the program that attach and detach: attach THREADS CYCLES: so many at once, each
// begins and joins CYCLES threads that spawn and end. Prints "right".
#include <cilk/cilk.h>

#include <thread>
#include <vector>

#include "../../programs/support/check.h"

namespace {

NOINLINE void count(long *sum) { __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED); }

NOINLINE void cycle(long *sum) {
  cilk_spawn count(sum);
  count(sum);
  cilk_sync;
}

}  // namespace

int main(int argc, char **argv) {
  const long threads = size_argument(argc, argv, 16);
  const long cycles = argc > 2 ? std::atol(argv[2]) : 100;
  long sum = 0;
  std::vector<std::thread> running;
  for (long i = 0; i < threads; ++i)
    running.emplace_back([&sum, cycles] {
      for (long k = 0; k < cycles; ++k) std::thread(cycle, &sum).join();
    });
  for (std::thread &thread : running) thread.join();
  CHECK_EQ(sum, 2 * threads * cycles);
  printf("right\n");
  return 0;
}
