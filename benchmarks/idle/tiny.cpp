// tiny: what a second worker does to a loop of tiny children. It could steal the continuation at
// any time, and never should.
//
// Each child reads the clock, so that half of the time there is something to steal. The loop reads
// it too. A gap of 3 us or more between two of its readings is an interruption: a call of the
// poller, a heavy fence, a steal, the system's clock. `late` is the time from the end of such a
// phase of 1, 3, 10 and 30 ms until another worker has begun a long child. Compiled and run by
// run.py.
#include <cilk/cilk.h>
#include <chrono>

#include "../support/distribution.h"

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
constexpr std::chrono::microseconds kInterruption{3};
constexpr long kChildren = 500'000;

struct Gaps {
  Clock::time_point last = Clock::now();
  long count = 0;
  Clock::duration sum{0};
};

void look_at_clock() { (void)Clock::now(); }

void spawn_tiny_ones(long count, Gaps &gaps) {
  for (long i = 0; i < count; ++i) {
    cilk_spawn look_at_clock();
    const Clock::time_point now = Clock::now();  // one worker at a time has the continuation
    const Clock::duration gap = now - gaps.last;
    gaps.last = now;
    if (gap < kInterruption) continue;
    ++gaps.count;
    gaps.sum += gap;
  }
  cilk_sync;
}

void loop(benchmark::State &state) {
  for ([[maybe_unused]] auto event : state) {
    const Clock::time_point start = Clock::now();
    Gaps gaps;
    spawn_tiny_ones(kChildren, gaps);
    state.SetIterationTime(Seconds(Clock::now() - start).count());
    state.counters["interruptions"] = static_cast<double>(gaps.count);
    state.counters["interrupted_us"] = 1e6 * Seconds(gaps.sum).count();
  }
}

void be_busy(Clock::duration time, Clock::time_point &begun) {
  begun = Clock::now();
  while (Clock::now() - begun < time) {
  }
}

void late(benchmark::State &state) {
  for ([[maybe_unused]] auto event : state) {
    Gaps ignored;
    const Clock::time_point start = Clock::now();
    while (Clock::now() - start < std::chrono::milliseconds(state.range(0)))
      spawn_tiny_ones(1000, ignored);
    const Clock::time_point end = Clock::now();
    Clock::time_point child, continuation;
    cilk_spawn be_busy(std::chrono::milliseconds(2), child);
    be_busy(std::chrono::milliseconds(2), continuation);
    cilk_sync;
    state.SetIterationTime(Seconds(std::max(child, continuation) - end).count());
  }
}

constexpr auto kUnit = benchmark::kMicrosecond;
BENCHMARK(loop)->Name("first_loop_of_the_process")->Apply(events)->Unit(kUnit)->Repetitions(1);
BENCHMARK(loop)->Apply(events)->Unit(kUnit);
BENCHMARK(late)->Apply(events)->Unit(kUnit)->Arg(1)->Arg(3)->Arg(10)->Arg(30);

}  // namespace

BENCHMARK_MAIN();
