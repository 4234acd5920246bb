// wake: the time from a loop's entry until each of the workers runs a part of it, after 1, 10 and
// 100 ms of idleness; and beside it how long the system takes to wake a thread by a futex.
//
// A part waits until all workers have one, 20 ms at most; `missed` counts the loops where one did
// not come. The futex's two threads have a processor each, and the sleeper sleeps for 20 ms at a
// time, as an idle worker does. Compiled and run by run.py.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "../support/distribution.h"

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
constexpr std::chrono::milliseconds kPatience{20};

void loop(benchmark::State &state) {
  const int workers = __cilkrts_get_nworkers();
  for ([[maybe_unused]] auto event : state) {
    std::this_thread::sleep_for(std::chrono::milliseconds(state.range(0)));
    std::atomic<int> begun{0};
    std::atomic<Clock::rep> last{0};
    const Clock::time_point start = Clock::now();
#pragma cilk grainsize 1
    cilk_for (int part = 0; part < workers; ++part) {
      const Clock::time_point now = Clock::now();
      if (begun.fetch_add(1) + 1 == workers) last = (now - start).count();
      while (begun.load() < workers && Clock::now() - now < kPatience) {
      }
    }
    const Clock::duration took(last.load());
    const bool is_missed = took > kPatience;
    state.counters["missed"] = is_missed;
    state.SetIterationTime(Seconds(is_missed ? kPatience : took).count());
  }
}

void pin_to(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
}

void futex(benchmark::State &state) {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  int processors[2] = {-1, -1};
  for (int processor = CPU_SETSIZE - 1; processor >= 0; --processor)
    if (CPU_ISSET(processor, &allowed)) {
      processors[1] = processors[0];
      processors[0] = processor;
    }
  if (processors[1] < 0) return state.SkipWithError("takes two processors");
  std::atomic<std::uint32_t> is_called{0};
  std::atomic<Clock::rep> woken{0};
  std::thread sleeper([&] {
    pin_to(processors[1]);
    while (is_called.load() == 0) {
      const timespec limit{0, 20'000'000};
      syscall(SYS_futex, &is_called, FUTEX_WAIT_PRIVATE, 0, &limit, nullptr, 0);
    }
    woken = Clock::now().time_since_epoch().count();
  });
  pin_to(processors[0]);
  for ([[maybe_unused]] auto event : state) {
    std::this_thread::sleep_for(std::chrono::milliseconds(state.range(0)));
    const Clock::time_point start = Clock::now();
    is_called = 1;
    syscall(SYS_futex, &is_called, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    sleeper.join();
    const Clock::duration took = Clock::duration(woken.load()) - start.time_since_epoch();
    state.SetIterationTime(Seconds(took).count());
  }
  sched_setaffinity(0, sizeof allowed, &allowed);
}

BENCHMARK(loop)->Apply(events)->Unit(benchmark::kMicrosecond)->RangeMultiplier(10)->Range(1, 100);
BENCHMARK(futex)->Apply(events)->Unit(benchmark::kMicrosecond)->RangeMultiplier(10)->Range(1, 100);

}  // namespace

BENCHMARK_MAIN();
