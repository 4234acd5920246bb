// One source, four models: Nopal (also its serial elision), OpenMP tasks and oneTBB's task_group;
// and a main that runs the program on them and says how much stack it touched.
//
// -DMODEL_OPENMP or -DMODEL_TBB; else Cilk's keywords. A program defines `long run(long size)`.
// Peers and the elision measure through cactus: every thread's stack is adopted where it begins,
// no thread releases pages, so what is resident at the end is the peak. Nopal's own runs are
// measured by its runtime (CILK_STACK_PEAK=exact).
#ifndef BENCHMARKS_SPACE_MODEL_H
#define BENCHMARKS_SPACE_MODEL_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#define SPACE_PRAGMA(...) _Pragma(#__VA_ARGS__)

#if defined(MODEL_OPENMP)
#include <omp.h>
#define GROUP
#define SPAWN(result, ...) SPACE_PRAGMA(omp task shared(result)) result = __VA_ARGS__
#define SPAWN_VOID(...) SPACE_PRAGMA(omp task) __VA_ARGS__
#define SYNC SPACE_PRAGMA(omp taskwait)
#define LOOP(i, n) SPACE_PRAGMA(omp taskloop) for (long i = 0; i < (n); ++i)
#define LOOP_END
#elif defined(MODEL_TBB)
#include <tbb/tbb.h>
#define GROUP tbb::task_group group
#define SPAWN(result, ...) group.run([=, &result] { result = __VA_ARGS__; })
#define SPAWN_VOID(...) group.run([=] { __VA_ARGS__; })
#define SYNC group.wait()
#define LOOP(i, n) tbb::parallel_for(0L, (n), [=](long i)
#define LOOP_END )
#else
#include <cilk/cilk.h>
#define GROUP
#define SPAWN(result, ...) result = cilk_spawn __VA_ARGS__
#define SPAWN_VOID(...) cilk_spawn __VA_ARGS__
#define SYNC cilk_sync
#define LOOP(i, n) cilk_for (long i = 0; i < (n); ++i)
#define LOOP_END
#endif

/// Touches a byte of every page of `size` bytes, where the optimizer cannot see it.
inline void touch(char *memory, long size) {
  for (long i = 0; i < size; i += 1024) memory[i] = static_cast<char>(i);
  asm volatile("" : : "r"(memory) : "memory");
}

long run(long size);

/// A number of /proc/self/status, in bytes.
inline long status_bytes(const char *name) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.rfind(name, 0) == 0)
      return std::strtol(line.c_str() + std::strlen(name) + 1, nullptr, 10) * 1024;
  return 0;
}

#if defined(MODEL_OPENMP) || defined(MODEL_TBB) || defined(CILK_SERIAL)
#include <cactus/measure.h>

#include <dlfcn.h>
#include <pthread.h>

namespace space {

struct Start {
  void *(*function)(void *);
  void *argument;
};

inline void *start_adopted(void *start) {
  const Start begin = *static_cast<Start *>(start);
  delete static_cast<Start *>(start);
  cactus::AdoptedStack stack(nullptr);
  return begin.function(begin.argument);
}

}  // namespace space

/// In the place of the thread library's, for the threads of the peers' runtimes.
extern "C" inline __attribute__((used)) int pthread_create(pthread_t *thread,
                                                           const pthread_attr_t *attributes,
                                                           void *(*function)(void *),
                                                           void *argument) {
  using Create = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, space::start_adopted, new space::Start{function, argument});
}

__attribute__((noinline)) inline long run_measured(long size, int workers) {
  cactus::set_measuring(cactus::Measuring::kExact);
  cactus::AdoptedStack own(nullptr);
  own.suspend(__builtin_frame_address(0), 8192);  // what the loader touched
  own.run(nullptr);
  long result = 0;
#if defined(MODEL_OPENMP)
#pragma omp parallel num_threads(workers)
#pragma omp single
  result = run(size);
#elif defined(MODEL_TBB)
  tbb::global_control parallelism(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(workers));
  tbb::global_control stacks(tbb::global_control::thread_stack_size, std::size_t{256} << 20);
  tbb::task_arena(workers).execute([&result, size] { result = run(size); });
#else
  (void)workers;
  result = run(size);
#endif
  cactus::measure();
  std::printf("peak_resident %zu\n", cactus::usage().peak.resident);
  return result;
}
#else
inline long run_measured(long size, int) { return run(size); }
#endif

int main(int argc, char **argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: %s SIZE WORKERS\n", argv[0]), 2;
  const long before = status_bytes("VmRSS:");
  const long result = run_measured(std::atol(argv[1]), std::atoi(argv[2]));
  std::printf("process_growth %ld\n", status_bytes("VmHWM:") - before);
  std::printf("result %ld\n", result);
}

#endif
