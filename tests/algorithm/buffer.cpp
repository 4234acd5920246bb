// The buffer of cilk::sort (algorithm/buffer.h): from 2 MiB on the kernel is asked for huge pages,
// any alignment of a type holds, what cannot be had is null, and sorts with such a buffer sort.

#include <cilk/algorithm.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "../programs/support/check.h"

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::uintptr_t address_of(const void *at) { return reinterpret_cast<std::uintptr_t>(at); }

/// The flags that the kernel keeps of the pages at `address`: " hg" where huge pages are asked for.
std::string flags_at(std::uintptr_t address) {
  std::ifstream map("/proc/self/smaps");
  bool is_here = false;
  for (std::string line; std::getline(map, line);) {
    unsigned long low = 0, high = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &low, &high) == 2)
      is_here = low <= address && address < high;
    if (is_here && line.compare(0, 8, "VmFlags:") == 0) return line.substr(8);
  }
  return "";
}

bool has_huge_pages() {
  return std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good();
}

bool is_advised(const void *at) {
  return flags_at(address_of(at)).find(" hg") != std::string::npos;
}

void pages() {
  const cilk::detail::raw_buffer<char> small(kHugePage - 1), large(kHugePage + 1);
  CHECK(small.get() != nullptr && large.get() != nullptr);
  CHECK_EQ(address_of(large.get()) % kHugePage, 0);
  std::memset(large.get(), 1, kHugePage + 1);
  CHECK(!is_advised(small.get()));
  if (has_huge_pages())
    CHECK(is_advised(large.get()) && is_advised(large.get() + kHugePage));
  else
    std::fputs("this kernel has no huge pages: nothing to see of them\n", stderr);
}

template <std::size_t kAlignment>
void alignments() {
  struct alignas(kAlignment) Wide {
    char bytes[kAlignment];
  };
  for (const std::size_t bytes : {std::size_t{1}, kAlignment, 3 * kHugePage}) {
    const cilk::detail::raw_buffer<Wide> buffer(static_cast<long>(bytes / kAlignment + 1));
    CHECK(buffer.get() != nullptr);
    CHECK_EQ(address_of(buffer.get()) % kAlignment, 0);
  }
}

void sorts(std::size_t n) {
  std::vector<int> values(n), expected;
  unsigned long seed = n;
  for (int &value : values) value = static_cast<int>(next_random(&seed) % 1000000);
  expected = values;
  std::sort(expected.begin(), expected.end());
  cilk::sort(values);
  CHECK(values == expected);
  cilk::stable_sort(values, std::greater<>{});
  std::reverse(expected.begin(), expected.end());
  CHECK(values == expected);
}

}  // namespace

int main() {
  pages();
  alignments<1>();
  alignments<256>();
  alignments<2 * kHugePage>();
  CHECK(cilk::detail::raw_buffer<char>(INTPTR_MAX / 2).get() == nullptr);
  sorts(kHugePage / sizeof(int) + 1);
  std::puts("sorted");
}
