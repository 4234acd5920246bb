// What every benchmark's main does: reads the size, makes the input, times the solution, checks it,
// prints one line.
//
// A program's kernel.h defines the input (a class with a constructor from a size and `std::string
// result() const`, empty if the result is wrong) and all that the variants share. cilk.cpp, tbb.cpp
// and omp.cpp hold the parallel constructs and end in BENCHMARK(Input, solve). Standard output gets
// the result, which must be the same in all variants. Standard error gets the seconds of `solve`
// and the peak of resident memory at its end. The seconds include the start of the threads, since
// all models start them when they are first needed. Used through cilk.h, tbb.h, omp.h and
// ../loops/model.h.
#ifndef BENCHMARKS_SUPPORT_PROGRAM_H
#define BENCHMARKS_SUPPORT_PROGRAM_H

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace bench {

/// Peak resident memory of this process. Not getrusage's: that keeps what the process was before
/// exec, that is, the script's.
inline long peak_kib() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::strtol(line.c_str() + 6, nullptr, 10);
  return 0;
}

/// Runs `enter` on the input of the size that the command line names. Returns the process's status.
template <class Input, class Enter>
int run_program(int argc, char **argv, const Enter &enter) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s SIZE\n", argv[0]), 2;
  Input input(std::atol(argv[1]));
  const auto start = std::chrono::steady_clock::now();
  enter(input);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const long peak = peak_kib();
  const std::string result = input.result();
  if (result.empty()) return std::fprintf(stderr, "%s: wrong result\n", argv[0]), 1;
  std::printf("%s\n", result.c_str());
  std::fprintf(stderr, "seconds %.9f\npeak_kib %ld\n", took.count(), peak);
  return 0;
}

/// The number of workers, from the environment: run.py sets it for all variants alike.
inline int workers() {
  const char *text = std::getenv("BENCHMARK_WORKERS");
  return text != nullptr ? std::atoi(text) : 1;
}

/// printf into a string.
template <class... Values>
std::string text(const char *format, Values... values) {
  char buffer[256];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

/// The splitmix64 generator's function: 64 well mixed bits of any number.
inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A step of a chain that the optimizer cannot shorten: a multiplication and an addition, each
/// waiting for the one before.
inline std::uint64_t chained(std::uint64_t x) {
  asm volatile("" : "+r"(x));
  return x * 6364136223846793005u + 1442695040888963407u;
}

/// A number in [0, 1), the index-th of a fixed sequence.
inline double uniform(std::uint64_t index) {
  return static_cast<double>(mixed(index) >> 11) * 0x1p-53;
}

}  // namespace bench

#endif
