// The programs of the reality check (check.py): each is the same tree of strands as the simulator's
// program of that name (tools/sim/programs.cpp, uts_program.cpp), with strands that spin.
//
//   programs spin COUNT          the median time of a spin of COUNT turns, in ns
//   programs hash COUNT          the same with the hash of a UTS node before it
//   programs TIMES BEFORE NAME [VALUE...]
//                                runs it so often, each time after a spin of BEFORE turns; prints
//                                ns, steals, and what it has computed, in sum
//   programs threads THREADS COUNT
//                                so many threads spin 1,000 times at once; prints ns, all of the
//                                first thread first
//
// With -DWAITING a strand sleeps for COUNT ns and does not spin, so it needs no processor.
// With -DRECORDED the serial program, without TIMES, writes its strands as a trace instead
// (tools/sim/README.md).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#ifdef WAITING
#include <sys/prctl.h>
#include <time.h>
#endif

#include "../../uts/sha1.h"
#ifdef RECORDED
#include "recorder.h"
#else
#include <cilk/cilk.h>
#include <cilk/statistics.h>
#define CALLED(expression) expression
#endif

namespace {

using Clock = std::chrono::steady_clock;

long ns_since(Clock::time_point begun) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begun).count();
}

#ifdef WAITING
/// A thread wakes up 50 us late, unless it asks for less.
long spin(long ns) {
  thread_local const int refused = prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  const timespec time = {ns / 1'000'000'000, ns % 1'000'000'000};
  return refused | clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}
#else
/// A chain of multiplications that no compiler shortens, so each turn takes the same time.
long spin(long count) {
  std::uint64_t x = static_cast<std::uint64_t>(count) | 1;
  for (long i = 0; i < count; ++i) {
    x *= 0x9e3779b97f4a7c15u;
    __asm__ volatile("" : "+r"(x));
  }
  return x == 0;
}
#endif

long tree(int depth, long leaf) {
  if (depth == 0) return 1 + spin(leaf);
  const long left = cilk_spawn tree(depth - 1, leaf);
  const long right = CALLED(tree(depth - 1, leaf));
  cilk_sync;
  return left + right;
}

long fib(int n, long leaf) {
  if (n < 2) return n + spin(leaf);
  const long left = cilk_spawn fib(n - 1, leaf);
  const long right = CALLED(fib(n - 2, leaf));
  cilk_sync;
  return left + right;
}

long inner_loop(long begin, long end, long grain, long body) {
  const long count = end - begin;
  if (count <= grain) {
    long sum = 0;
    for (long i = 0; i < count; ++i) sum += 1 + spin(body);
    return sum;
  }
  const long middle = begin + count / 2;
  const long left = cilk_spawn inner_loop(begin, middle, grain, body);
  const long right = CALLED(inner_loop(middle, end, grain, body));
  cilk_sync;
  return left + right;
}

long outer_loop(long begin, long end, long inner, long grain, long body) {
  const long count = end - begin;
  if (count == 1) return CALLED(inner_loop(0, inner, grain, body));
  const long middle = begin + count / 2;
  const long left = cilk_spawn outer_loop(begin, middle, inner, grain, body);
  const long right = CALLED(outer_loop(middle, end, inner, grain, body));
  cilk_sync;
  return left + right;
}

long bursts(int phases, int depth, long serial, long leaf) {
  long sum = 0;
  for (int phase = 0; phase < phases; ++phase) {
    sum += spin(serial);
    sum += CALLED(tree(depth, leaf));
  }
  return sum;
}

/// UTS's tree T1 (b = 4, root seed 19), cut at `depth`.
long uts(State state, int height, int depth, long work) {
  const double kRatio = std::log(1 - 1 / 5.0);
  long sum = 1 + spin(work);
  if (height >= depth) return sum;
  const int count = std::min(100, static_cast<int>(std::log(1 - state.uniform()) / kRatio));
  if (count == 0) return sum;
  std::vector<long> counts(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    long *const into = &counts[static_cast<std::size_t>(i)];
    *into = cilk_spawn uts(child_state(state, i), height + 1, depth, work);
  }
  cilk_sync;
  for (const long part : counts) sum += part;
  return sum;
}

long run(const char *name, const long *v) {
  const auto is = [name](const char *word) { return std::strcmp(name, word) == 0; };
  if (is("tree")) return CALLED(tree(static_cast<int>(v[0]), v[1]));
  if (is("fib")) return CALLED(fib(static_cast<int>(v[0]), v[1]));
  if (is("loops")) return CALLED(outer_loop(0, v[0], v[1], v[2], v[3]));
  if (is("bursts"))
    return CALLED(bursts(static_cast<int>(v[0]), static_cast<int>(v[1]), v[2], v[3]));
  if (is("uts")) return CALLED(uts(root_state(19), 0, static_cast<int>(v[0]), v[1]));
  std::fprintf(stderr, "programs: '%s' is none of tree, fib, loops, bursts, uts\n", name);
  std::exit(2);
}

long median_spin(long count, bool hashes) {
  const long repeats = count < 10'000 ? 10 : 1;  // reading the clock takes up to 80 ns
  std::vector<long> times;
  State state = root_state(19);
  for (int i = 0; i < 2001; ++i) {
    const auto begun = Clock::now();
    long result = 0;
    for (long j = 0; j < repeats; ++j) {
      if (hashes) state = child_state(state, i);
      result += spin(count + (hashes ? static_cast<long>(state.word[0] & 1) : 0));
    }
    times.push_back((ns_since(begun) + result + repeats / 2) / repeats);
  }
  std::nth_element(times.begin(), times.begin() + 1000, times.end());
  return times[1000];
}

int print_times_of_threads(long count, long turns) {
  std::vector<std::vector<long>> times(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (std::vector<long> &own : times)
    threads.emplace_back([&own, turns] {
      for (int i = 0; i < 1000; ++i) {
        const auto begun = Clock::now();
        const long result = spin(turns);
        own.push_back(ns_since(begun) + result);
      }
    });
  for (std::thread &thread : threads) thread.join();
  for (const std::vector<long> &own : times)
    for (const long ns : own) std::printf("%ld\n", ns);
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  const long times = argc < 2 ? 0 : std::strtol(argv[1], nullptr, 10);  // 0: no number
  char **const words = argv + (times > 0 ? 3 : 1);
  const int count = static_cast<int>(argv + argc - words);
  if (count < 1) return std::fprintf(stderr, "programs: give a name and its numbers\n"), 2;
  long values[4] = {};
  for (int i = 1; i < count && i < 5; ++i) values[i - 1] = std::strtol(words[i], nullptr, 10);
  if (std::strcmp(words[0], "spin") == 0 || std::strcmp(words[0], "hash") == 0)
    return std::printf("%ld\n", median_spin(values[0], words[0][0] == 'h')) < 0;
  if (std::strcmp(words[0], "threads") == 0) return print_times_of_threads(values[0], values[1]);
#ifdef RECORDED
  recorder::begin();
  const long result = run(words[0], values);
  recorder::end();
  return std::fprintf(stderr, "%ld\n", result) < 0;
#else
  const long before = times > 0 ? std::strtol(argv[2], nullptr, 10) : 0;
  long result = tree(13, 5000);  // some 15 ms: until the system has spread the threads
  const std::uint64_t stolen = cilk::read_statistics().total.steals;
  const auto begun = Clock::now();
  result = 0;
  for (long i = 0; i < std::max(1L, times); ++i) {
    result += spin(before);
    result += run(words[0], values);
  }
  const long ns = ns_since(begun);
  const std::uint64_t steals = cilk::read_statistics().total.steals - stolen;
  return std::printf("%ld %llu %ld\n", ns, static_cast<unsigned long long>(steals), result) < 0;
#endif
}
