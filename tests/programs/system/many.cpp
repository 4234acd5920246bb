// Very many spawns in one function: a million of one loop between two syncs, all children of the
// same frame. Argument: how many.
//
// matrix: args 1000000
// matrix: chaos-args 20000
// matrix: sanitize-args 20000

#include <cilk/cilk.h>

#include <atomic>
#include <vector>

#include "../support/check.h"

namespace {

NOINLINE void add(std::atomic<long> &sum, long n) { sum.fetch_add(n, std::memory_order_relaxed); }

long without_results(long count) {
  std::atomic<long> sum{0};
  for (long i = 0; i < count; ++i) cilk_spawn add(sum, i);
  cilk_sync;
  return sum.load(std::memory_order_relaxed);
}

NOINLINE unsigned char low_byte(long n) { return static_cast<unsigned char>(n * 7); }

unsigned long with_results(long count) {
  std::vector<unsigned char> results(static_cast<std::size_t>(count));
  for (long i = 0; i < count; ++i) results[static_cast<std::size_t>(i)] = cilk_spawn low_byte(i);
  cilk_sync;
  unsigned long checksum = 0;
  for (unsigned char result : results) checksum = mix(checksum, result);
  return checksum;
}

// As many syncs as spawns.
long with_syncs(long count) {
  long sum = 0;
  for (long i = 0; i < count; ++i) {
    long a = 0;
    cilk_spawn [&a, i] { a = i; }();
    const long b = low_byte(i);
    cilk_sync;
    sum += a ^ b;
  }
  return sum;
}

}  // namespace

int main(int argc, char **argv) {
  const long count = size_argument(argc, argv, 1000000);
  const long sum = without_results(count);
  CHECK_EQ(sum, count * (count - 1) / 2);
  printf("%ld spawns: %ld, checksum %016lx, with syncs %ld\n", count, sum, with_results(count),
         with_syncs(count));
  return 0;
}
