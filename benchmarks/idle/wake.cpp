// wake: how long it takes until each of the workers runs a part of a parallel loop, COUNT times, each after PAUSE milliseconds of idleness.
//
// A part waits until all workers have one, 20 ms at most. Standard output: microseconds from the loop's entry to the begin of the last
// part, a line a loop; loops that not all workers came to are counted on standard error. With a third argument no loop, but what the system takes for that:
// one thread wakes another by a futex, each on a processor of its own; the other sleeps for 20 ms at a time, as an idle worker. Compiled and run by run.py.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

using Clock = std::chrono::steady_clock;
static constexpr std::chrono::milliseconds kPatience{20};

static void pin_to(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
}

static int wake_a_thread(long count, useconds_t pause_us) {
  static std::atomic<std::uint32_t> turn{0};  // whose it is: even the waker's, odd the other's
  static std::atomic<std::int64_t> woken_ns{0};
  cpu_set_t may;
  sched_getaffinity(0, sizeof may, &may);
  int processors[2] = {-1, -1};
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &may)) (processors[0] < 0 ? processors[0] : processors[1]) = processor;
  if (processors[1] < 0) return std::fprintf(stderr, "missed %ld\n", count), 0;
  std::thread sleeper([&processors, count] {
    pin_to(processors[1]);
    for (std::uint32_t mine = 1; mine < 2 * static_cast<std::uint32_t>(count); mine += 2) {
      while (turn.load() != mine) {
        const timespec limit{0, 20'000'000};
        syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, mine - 1, &limit, nullptr, 0);
      }
      woken_ns = Clock::now().time_since_epoch().count();
      turn = mine + 1;
    }
  });
  pin_to(processors[0]);
  for (std::uint32_t mine = 0; mine < 2 * static_cast<std::uint32_t>(count); mine += 2) {
    while (turn.load() != mine) {}
    usleep(pause_us);
    const std::int64_t start_ns = Clock::now().time_since_epoch().count();
    turn = mine + 1;
    syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    while (turn.load() == mine + 1) {}
    std::printf("%.1f\n", static_cast<double>(woken_ns - start_ns) / 1000);
  }
  sleeper.join();
  std::fprintf(stderr, "missed 0\n");
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4) return std::fprintf(stderr, "usage: %s COUNT PAUSE [futex]\n", argv[0]), 2;
  if (argc == 4) return wake_a_thread(std::atol(argv[1]), static_cast<useconds_t>(std::atol(argv[2]) * 1000));
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
