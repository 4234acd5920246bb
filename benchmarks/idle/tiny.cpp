// tiny: what a second worker does to a loop of tiny children, whose continuation it could steal at any time and never should.
//
// ROUNDS loops of COUNT children each. Each child reads the clock. A gap of 3 us or more between two readings is an interruption: a call of the poller, a heavy
// fence, the system's clock. Standard output, a line a loop: its microseconds, its interruptions shorter than 20 us, their sum in microseconds (those of the
// system's clock take longer). Then, a line each: "late" and the microseconds from the end of such a phase of 1, 3, 10 and 30 ms until another worker has
// begun a long child, 20 times each. Compiled and run by run.py.
#include <cilk/cilk.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

namespace {

struct Gaps {
  Clock::time_point last;
  long short_ones = 0;
  Microseconds in_short_ones{0};
};

void look_at_clock(Gaps &gaps) {
  const Clock::time_point now = Clock::now();
  const Microseconds gap = now - gaps.last;
  gaps.last = now;
  if (gap < Microseconds(3) || gap >= Microseconds(20)) return;
  ++gaps.short_ones;
  gaps.in_short_ones += gap;
}

// In each loop the children come one after the other: a theft takes the loop elsewhere, with all that it has written.
void spawn_tiny_ones(long count, Gaps &gaps) {
  for (long i = 0; i < count; ++i) cilk_spawn look_at_clock(gaps);
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
    std::printf("%.1f %ld %.1f\n", took.count(), gaps.short_ones, gaps.in_short_ones.count());
  }
  for (const long ms : {1, 3, 10, 30})
    for (int repeat = 0; repeat < 20; ++repeat) std::printf("late %ld %.1f\n", ms, lateness_behind(std::chrono::milliseconds(ms)).count());
}
