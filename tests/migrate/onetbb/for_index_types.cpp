// tbb::parallel_for(first, last, lambda) with int, long and size_t indices, [&] and [=] captures.
#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

static std::uint64_t checksum(const std::vector<std::uint64_t> &values) {
  std::uint64_t sum = 17;
  for (std::uint64_t v : values) sum = sum * 31 + v;
  return sum;
}

int main() {
  const int n = 20000;
  std::vector<std::uint64_t> a(n), b(n), c(n);

  tbb::parallel_for(0, n, [&](int i) { a[i] = std::uint64_t(i) * i; });

  const long last = n;
  tbb::parallel_for(1L, last, [&](long i) {
    const std::uint64_t previous = a[i - 1];
    b[i] = a[i] - previous;
  });

  const std::uint64_t *in = b.data();
  std::uint64_t *out = c.data();
  const std::uint64_t factor = 7;
  tbb::parallel_for(std::size_t(0), c.size(), [=](std::size_t i) { out[i] = in[i] * factor + i; });

  std::printf("int    %016llx\n", (unsigned long long)checksum(a));
  std::printf("long   %016llx\n", (unsigned long long)checksum(b));
  std::printf("size_t %016llx\n", (unsigned long long)checksum(c));
  return 0;
}
