// What one look-up of a view costs where the compiler cannot move it out of the loop: in a strand
// that was not stolen, and in one that was. Prints nanoseconds: of the least of nine runs, the loop
// subtracted.
//
// Run with CILK_CHAOS=1:1, so that the continuation is stolen.
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <cilk/reducer.h>
#include <cilk/reducer_opadd.h>
#include <cilk/views.h>

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

struct Sums {
  cilk::reducer<long, std::plus<>> ours;
  cilk::reducer<cilk::op_add<long>> cilk_plus;
  cilk::opadd_reducer<long> open_cilk = 0;
  long by_hand = 0;
  CILK_C_REDUCER_OPADD_TYPE(long) in_c;
  long plain = 0;
};

__attribute__((noinline)) void measure(const char *strand, Sums &sums) {
  const double loop = ns_per_use([&sums] { return &sums.plain; });
  const auto print = [&](const char *spelling, double took) {
    std::printf("%-10s  %-25s %.2f ns\n", strand, spelling, took - loop);
  };
  print("cilk::reducer<T, Op>", ns_per_use([&sums] { return &*sums.ours; }));
  print("cilk::reducer<op_add<T>>", ns_per_use([&sums] { return &*sums.cilk_plus; }));
  print("cilk_reducer", ns_per_use([&sums] { return &sums.open_cilk; }));
  print("REDUCER_VIEW", ns_per_use([&sums] { return &REDUCER_VIEW(sums.in_c); }));
  print("__cilkrts_reducer_lookup", ns_per_use([&sums] {
          return __cilkrts_reducer_lookup(&sums.by_hand, sizeof(long),
                                          reinterpret_cast<void *>(cilk::zero<long>),
                                          reinterpret_cast<void *>(cilk::plus<long>));
        }));
}

}  // namespace

int main() {
  CILK_C_REDUCER_OPADD(in_c, long, 0);
  Sums sums{.in_c = in_c};
  CILK_C_REGISTER_REDUCER(sums.in_c);
  measure("not stolen", sums);
  cilk_spawn [] {}();
  measure("stolen", sums);
  cilk_sync;
  CILK_C_UNREGISTER_REDUCER(sums.in_c);
}
