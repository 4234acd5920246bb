// Threads that all do something for the first time at once: first WHAT
//
//   spawn   they spawn
//   api     they ask, and register functions
//   loop    they run a cilk_for
//   read    they read statistics
//   param   they set the number of workers
//   mixed   each something else
//
// Prints "right". The program has no race, so a race detector can only report races of the runtime.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/statistics.h>

#include <pthread.h>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 4;

long fib(long n) {
  if (n < 2) return n;
  const long x = cilk_spawn fib(n - 1);
  const long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

void spawn() {
  if (fib(10) != 55) std::puts("wrong");
}

void nothing() {}

void ask() {
  __cilkrts_atinit(nothing);
  __cilkrts_atexit(nothing);
  __cilkrts_get_nworkers();
  __cilkrts_get_total_workers();
  __cilkrts_is_initialized();
  __cilkrts_running_on_workers();
  __cilkrts_init();
}

void loop() {
  long squares[1000];
  cilk_for (long i = 0; i < 1000; ++i) squares[i] = i * i;
  if (squares[999] != 998001) std::puts("wrong");
}

void read() {
  if (cilk::read_statistics().nworkers == 0) std::puts("wrong");
}

void set() { __cilkrts_set_param("nworkers", "3"); }

struct {
  const char *name;
  void (*run)();
} const kFirst[] = {{"spawn", spawn}, {"api", ask}, {"loop", loop}, {"read", read}, {"param", set}};

}  // namespace

int main(int, char **argv) {
  pthread_barrier_t start;
  pthread_barrier_init(&start, nullptr, kThreads);
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number)
    threads.emplace_back([&start, number, what = argv[1]] {
      auto run = kFirst[static_cast<std::size_t>(number) % std::size(kFirst)].run;
      for (const auto &first : kFirst)
        if (std::strcmp(first.name, what) == 0) run = first.run;
      pthread_barrier_wait(&start);
      run();
      spawn();
    });
  for (std::thread &thread : threads) thread.join();
  pthread_barrier_destroy(&start);
  std::puts("right");
}
