// Unbalanced tree search: UTS's binomial tree (a root of many children; below it 8 with probability
// 0.1249, else none), with a 64-bit mixer in the place of SHA-1. The root has `size` children. The
// number of nodes is the result.
#include "model.h"

#include <cstdint>
#include <vector>

static std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static constexpr int kChildren = 8;

static void visit(std::uint64_t node, long *count) {
  if (static_cast<double>(mixed(node) >> 11) * 0x1p-53 >= 0.1249) {
    *count = 1;
    return;
  }
  GROUP;
  long counts[kChildren];
  for (int i = 0; i < kChildren; ++i) {
    long *const into = &counts[i];
    const std::uint64_t next = mixed(node * kChildren + static_cast<std::uint64_t>(i) + 1);
    SPAWN_VOID(visit(next, into));
  }
  SYNC;
  long sum = 1;
  for (const long c : counts) sum += c;
  *count = sum;
}

long run(long size) {
  std::vector<long> counts(static_cast<std::size_t>(size));
  GROUP;
  for (long i = 0; i < size; ++i) {
    long *const into = &counts[static_cast<std::size_t>(i)];
    const std::uint64_t next = mixed(2000 + static_cast<std::uint64_t>(i));
    SPAWN_VOID(visit(next, into));
  }
  SYNC;
  long sum = 1;
  for (const long c : counts) sum += c;
  return sum;
}
