// tiny: what a second worker does to a loop of tiny children, whose continuation it could steal at any time and never should.
//
// ROUNDS loops of COUNT children each. Each child reads the clock, so that there is something to steal for half of the time; the loop does, too, and a gap of
// 3 us or more between two of its readings is an interruption: a call of the poller, a heavy fence, a theft, the system's clock. Standard output, a line a
// loop: its microseconds, its interruptions, their sum in microseconds. Then, a line each: "late" and the microseconds from the end of such a phase of 1, 3, 10
// and 30 ms until another worker has begun a long child, 20 times each; 2,000 if none has. Compiled and run by run.py.
#include <cilk/cilk.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

namespace {

struct Gaps {
  Clock::time_point last;
  long count = 0;
  Microseconds sum{0};
};

void look_at_clock() { (void)Clock::now(); }

void spawn_tiny_ones(long count, Gaps &gaps) {
  for (long i = 0; i < count; ++i) {
    cilk_spawn look_at_clock();
    const Clock::time_point now = Clock::now();  // by whoever has the continuation, one at a time
    const Microseconds gap = now - gaps.last;
    gaps.last = now;
    if (gap < Microseconds(3)) continue;
    ++gaps.count;
    gaps.sum += gap;
  }
  cilk_sync;
}

void be_busy(Clock::duration time, Clock::time_point &begun) {
  begun = Clock::now();
  while (Clock::now() - begun < time) {}
}

Microseconds lateness_behind(Clock::duration phase) {
  Gaps ignored;
  const Clock::time_point start = Clock::now();
  while (Clock::now() - start < phase) spawn_tiny_ones(1000, ignored);
  const Clock::time_point end = Clock::now();
  Clock::time_point child, continuation;
  cilk_spawn be_busy(std::chrono::milliseconds(2), child);
  be_busy(std::chrono::milliseconds(2), continuation);
  cilk_sync;
  return (child > continuation ? child : continuation) - end;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: %s ROUNDS COUNT\n", argv[0]), 2;
  const long rounds = std::atol(argv[1]), count = std::atol(argv[2]);
  for (long round = 0; round < rounds; ++round) {
    const Clock::time_point start = Clock::now();
    Gaps gaps{.last = start};
    spawn_tiny_ones(count, gaps);
    const Microseconds took = Clock::now() - start;
    std::printf("%.1f %ld %.1f\n", took.count(), gaps.count, gaps.sum.count());
  }
  for (const long ms : {1, 3, 10, 30})
    for (int repeat = 0; repeat < 20; ++repeat) std::printf("late %ld %.1f\n", ms, lateness_behind(std::chrono::milliseconds(ms)).count());
}
