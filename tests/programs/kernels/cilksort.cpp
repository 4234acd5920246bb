// cilksort: a parallel merge sort whose merge is parallel too (as in the Cilk-5 distribution: Akl
// and Santoro's merge by bisection). Result: the sorted sequence is checked against std::sort; its
// checksum is printed.
//
// matrix: args 30000
// matrix: chaos-args 6000

#include <cilk/cilk.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../support/check.h"

namespace {

constexpr std::ptrdiff_t kSerialSort = 64;
constexpr std::ptrdiff_t kSerialMerge = 128;

void insertion_sort(std::uint32_t *begin, std::uint32_t *end) {
  for (std::uint32_t *next = begin; next != end; ++next) {
    std::uint32_t value = *next, *hole = next;
    for (; hole != begin && hole[-1] > value; --hole) *hole = hole[-1];
    *hole = value;
  }
}

// Merges the sorted sequences a and b into `out`. Work n, span log² n.
void merge(const std::uint32_t *a, const std::uint32_t *a_end, const std::uint32_t *b,
           const std::uint32_t *b_end, std::uint32_t *out) {
  if (a_end - a < b_end - b) {
    std::swap(a, b);
    std::swap(a_end, b_end);
  }
  if (a_end - a <= kSerialMerge) {
    std::merge(a, a_end, b, b_end, out);
    return;
  }
  const std::uint32_t *a_middle = a + (a_end - a) / 2;
  const std::uint32_t *b_middle = std::lower_bound(b, b_end, *a_middle);
  cilk_spawn merge(a, a_middle, b, b_middle, out);
  merge(a_middle, a_end, b_middle, b_end, out + (a_middle - a) + (b_middle - b));
  cilk_sync;
}

// Sorts data[0..size), with scratch[0..size) for its use.
void sort(std::uint32_t *data, std::uint32_t *scratch, std::ptrdiff_t size) {
  if (size <= kSerialSort) {
    insertion_sort(data, data + size);
    return;
  }
  const std::ptrdiff_t quarter = size / 4;
  std::uint32_t *a = data, *b = a + quarter, *c = b + quarter, *d = c + quarter, *end = data + size;
  std::uint32_t *scratch_a = scratch, *scratch_b = scratch + quarter,
                *scratch_c = scratch_b + quarter, *scratch_d = scratch_c + quarter,
                *scratch_end = scratch + size;
  cilk_spawn sort(a, scratch_a, quarter);
  cilk_spawn sort(b, scratch_b, quarter);
  cilk_spawn sort(c, scratch_c, quarter);
  sort(d, scratch_d, end - d);
  cilk_sync;

  cilk_spawn merge(a, b, b, c, scratch_a);
  merge(c, d, d, end, scratch_c);
  cilk_sync;

  merge(scratch_a, scratch_c, scratch_c, scratch_end, data);
}

}  // namespace

int main(int argc, char **argv) {
  const long size = size_argument(argc, argv, 1000000);
  std::vector<std::uint32_t> data(size), scratch(size);
  unsigned long random = 1;
  for (std::uint32_t &value : data)
    value = static_cast<std::uint32_t>(next_random(&random)) % (2 * size);
  std::vector<std::uint32_t> expected = data;

  sort(data.data(), scratch.data(), size);

  std::sort(expected.begin(), expected.end());
  CHECK(data == expected);
  unsigned long checksum = 0;
  for (std::uint32_t value : data) checksum = mix(checksum, value);
  printf("cilksort of %ld numbers: checksum %016lx\n", size, checksum);
  return 0;
}
