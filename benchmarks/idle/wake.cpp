// wake: how long it takes until each of the workers runs a part of a parallel loop, COUNT times, each after PAUSE milliseconds of idleness.
//
// A part waits until all workers have one, 20 ms at most. Standard output: microseconds from the loop's entry to the begin of the last
// part, a line a loop; loops that not all workers came to are counted on standard error. Compiled and run by run.py.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using Clock = std::chrono::steady_clock;
static constexpr std::chrono::milliseconds kPatience{20};

int main(int argc, char **argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: %s COUNT PAUSE\n", argv[0]), 2;
  const int workers = __cilkrts_get_nworkers();
  long missed = 0;
  for (long count = std::atol(argv[1]), loop = -1; loop < count; ++loop) {  // the first one starts the workers
    usleep(static_cast<useconds_t>(std::atol(argv[2]) * 1000));
    std::atomic<int> begun{0};
    std::atomic<long> last_ns{0};
    const Clock::time_point start = Clock::now();
#pragma cilk grainsize 1
    cilk_for (int part = 0; part < workers; ++part) {
      const Clock::time_point now = Clock::now();
      if (begun.fetch_add(1) + 1 == workers) last_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now - start).count();
      while (begun.load() < workers && Clock::now() - now < kPatience) {}
    }
    if (loop < 0) continue;
    if (last_ns < std::chrono::nanoseconds(kPatience).count())
      std::printf("%.1f\n", static_cast<double>(last_ns) / 1000);
    else
      ++missed;
  }
  std::fprintf(stderr, "missed %ld\n", missed);
}
