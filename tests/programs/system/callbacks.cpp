// Spawning functions called back by code that does not know of Cilk: comparisons of qsort, bsearch
// and std::sort that spawn, within children, and sorts within such comparisons. The library's
// frames lie between spawning ones; on the same stack, since a caller's stack waits for it.

#include <cilk/cilk.h>

#include <algorithm>
#include <vector>

#include "../support/check.h"

namespace {

// The digits' weighted sum, the halves in parallel: what the comparisons compare.
NOINLINE long weight(unsigned long number, long digits) {
  if (digits <= 4) {
    long sum = 0;
    for (long i = 0; i < digits; ++i, number /= 10) sum = sum * 7 + static_cast<long>(number % 10);
    return sum;
  }
  unsigned long upper = number;
  for (long i = 0; i < digits / 2; ++i) upper /= 10;
  const long low = cilk_spawn weight(number, digits / 2);
  const long high = weight(upper, digits - digits / 2);
  cilk_sync;
  return low * 3 + high;
}

extern "C" int compare_weights(const void *a, const void *b) {
  const unsigned long left = *static_cast<const unsigned long *>(a),
                      right = *static_cast<const unsigned long *>(b);
  const long x = weight(left, 12), y = weight(right, 12);
  return x != y ? (x < y ? -1 : 1) : left != right ? (left < right ? -1 : 1) : 0;
}

std::vector<unsigned long> numbers(unsigned long seed, long n) {
  std::vector<unsigned long> made;
  for (long i = 0; i < n; ++i) made.push_back(next_random(&seed) % 1000000000000u);
  return made;
}

unsigned long checksum(const std::vector<unsigned long> &sorted) {
  unsigned long sum = 0;
  for (unsigned long number : sorted) sum = mix(sum, number);
  return sum;
}

unsigned long by_qsort(unsigned long seed, long n) {
  std::vector<unsigned long> found = numbers(seed, n);
  std::qsort(found.data(), found.size(), sizeof(unsigned long), compare_weights);
  const void *known = std::bsearch(&found[found.size() / 2], found.data(), found.size(),
                                   sizeof(unsigned long), compare_weights);
  CHECK(known != nullptr);
  return checksum(found);
}

unsigned long by_sort(unsigned long seed, long n) {
  std::vector<unsigned long> found = numbers(seed, n);
  std::sort(found.begin(), found.end(),
            [](unsigned long a, unsigned long b) { return compare_weights(&a, &b) < 0; });
  return checksum(found);
}

// Sorts within a comparison of a sort.
unsigned long sorts_within(long n) {
  std::vector<unsigned long> seeds = numbers(5, n);
  std::sort(seeds.begin(), seeds.end(),
            [](unsigned long a, unsigned long b) { return by_qsort(a, 4) < by_sort(b, 4); });
  return seeds.size();
}

unsigned long tree(long depth, unsigned long seed) {
  if (depth == 0) return seed % 2 ? by_qsort(seed, 12) : by_sort(seed, 12);
  const unsigned long left = cilk_spawn tree(depth - 1, 2 * seed);
  const unsigned long right = tree(depth - 1, 2 * seed + 1);
  cilk_sync;
  return mix(left, right);
}

}  // namespace

int main() {
  printf("qsort and sort agree: %d\n", by_qsort(1, 40) == by_sort(1, 40));
  printf("within children: %lu\n", tree(4, 1));
  printf("within comparisons: %lu\n", sorts_within(5));
  return 0;
}
