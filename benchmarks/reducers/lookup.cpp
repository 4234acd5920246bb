// What one look-up of a view costs where the compiler cannot move it out of the loop: in a strand
// that was not stolen, and in one that was. Prints nanoseconds: of the least of nine runs.
//
// Run with CILK_CHAOS=1:1, so that the continuation is stolen.
#include <cilk/cilk.h>
#include <cilk/reducer.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

constexpr long kUses = 20'000'000;

/// The address goes to the asm, which stands for a call that nothing is known of, but is free. So
/// the look-up is measured, and not the time that a sum takes from store to load.
template <class Use>
double ns_per_use(const Use &address) {
  double least = 1e9;
  for (int run = 0; run < 9; ++run) {
    const auto begun = std::chrono::steady_clock::now();
    for (long i = 0; i < kUses; ++i) asm volatile("" : : "r"(address()) : "memory");
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begun;
    least = std::min(least, took.count() / kUses);
  }
  return least;
}

__attribute__((noinline)) void measure(const char *strand,
                                       cilk::reducer<long, std::plus<>> &reducer, long &plain) {
  const double with = ns_per_use([&reducer] { return &*reducer; });
  const double without = ns_per_use([&plain] { return &plain; });
  std::printf("%-10s %.2f ns with a reducer, %.2f ns with a variable, look-up %.2f ns\n", strand,
              with, without, with - without);
}

}  // namespace

int main() {
  cilk::reducer<long, std::plus<>> reducer;
  long plain = 0;
  measure("not stolen", reducer, plain);
  cilk_spawn [] {}();
  measure("stolen", reducer, plain);
  cilk_sync;
}
