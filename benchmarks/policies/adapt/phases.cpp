// A program of serial and parallel phases in turn, in Nopal, OpenMP and oneTBB, and as serial code:
// for run.py.
//
//     phases SERIAL_US TASKS TASK_US PHASES [THREADS]
//
// Each phase is SERIAL_US of serial work and then TASKS tasks of TASK_US. Work is counted in steps
// that take as long on each run. Each of THREADS threads does that. Prints seconds and processor
// seconds.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

#if defined(PHASES_OPENMP)
#include <omp.h>
#elif defined(PHASES_TBB)
#include <oneapi/tbb/parallel_for.h>
#else
#include <cilk/cilk.h>
#endif

namespace {

constexpr long kStepsPerUs = 4000;  // about, where a store is forwarded at once

[[gnu::noinline]] void work(long us) {
  volatile long sink = 0;
  for (long i = us * kStepsPerUs; i > 0; --i) sink = sink + 1;
}

[[gnu::noinline]] void phase(long tasks, long task_us) {
#if defined(PHASES_OPENMP)
#pragma omp parallel for schedule(dynamic, 1)
  for (long i = 0; i < tasks; ++i) work(task_us);
#elif defined(PHASES_TBB)
  oneapi::tbb::parallel_for(
      0L, tasks, [task_us](long) { work(task_us); }, oneapi::tbb::simple_partitioner());
#else
#pragma cilk grainsize 1
  cilk_for (long i = 0; i < tasks; ++i) work(task_us);
#endif
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 5 && count != 6) {
    std::fputs("phases SERIAL_US TASKS TASK_US PHASES [THREADS]\n", stderr);
    return 2;
  }
  const long serial_us = std::atol(arguments[1]), tasks = std::atol(arguments[2]);
  const long task_us = std::atol(arguments[3]), phases = std::atol(arguments[4]);
  const long threads = count == 6 ? std::atol(arguments[5]) : 1;
  const auto run = [=] {
    for (long i = 0; i < phases; ++i) {
      work(serial_us);
      phase(tasks, task_us);
    }
  };
  const auto begun = std::chrono::steady_clock::now();
  std::vector<std::thread> others;
  for (long i = 1; i < threads; ++i) others.emplace_back(run);
  run();
  for (std::thread &other : others) other.join();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  timespec processor{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
  std::printf(
      "%.6f %.6f\n", took.count(),
      static_cast<double>(processor.tv_sec) + static_cast<double>(processor.tv_nsec) * 1e-9);
}
