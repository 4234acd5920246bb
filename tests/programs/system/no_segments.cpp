// The system refuses stack segments in the middle of the work: mappings (vm.max_map_count) and
// address space (RLIMIT_AS) run out and come back. Then there is less parallelism, and the same
// result.
//
// matrix: args 20
// matrix: chaos-args 10
// matrix: sanitize-args 10
// With a size below 12 nothing is used up: what the sanitizers map themselves must not fail, and
// several workers under chaos may need a stack that they cannot do without, which ends the process
// with a message (tests/stress has chaos without any segment).

#include <cilk/cilk.h>

#include <sys/mman.h>
#include <sys/resource.h>

#include <fstream>
#include <string>

#include "../support/check.h"

namespace {

NOINLINE long leaf(long n) {
  if (n % 5 == 0) linger();
  return n;
}

NOINLINE long tree(long depth) {
  if (depth == 0) return 1;
  if (depth == 3) leaf(depth + 2);
  long a = cilk_spawn tree(depth - 1);
  long b = tree(depth - 1);
  cilk_sync;
  return a + b;
}

void check_trees(long depth) {
  // Many small trees and one large: stacks are taken and released all the time.
  for (int i = 0; i < 20; ++i) CHECK_EQ(tree(5), 32);
  CHECK_EQ(tree(depth / 2), 1L << (depth / 2));
}

/// Uses up all but `left` of the process's mappings while it lives.
class MappingsUsedUp {
 public:
  explicit MappingsUsedUp(long left) {
    region_ = static_cast<char *>(mmap(nullptr, kPages * kPage, PROT_NONE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    CHECK(region_ != MAP_FAILED);
    long used = 0;
    // Each second page that differs from its neighbours makes two mappings more.
    while (2 * used + 1 < kPages &&
           mprotect(region_ + (2 * used + 1) * kPage, kPage, PROT_READ) == 0)
      ++used;
    CHECK(2 * used + 1 < kPages);
    for (long i = 0; i < left / 2; ++i)
      mprotect(region_ + (2 * (used - 1 - i) + 1) * kPage, kPage, PROT_NONE);
  }
  ~MappingsUsedUp() { munmap(region_, kPages * kPage); }
  MappingsUsedUp(const MappingsUsedUp &) = delete;
  MappingsUsedUp &operator=(const MappingsUsedUp &) = delete;

 private:
  static constexpr long kPages = 4'000'000;
  static constexpr long kPage = 4096;
  char *region_;
};

/// Leaves `left` bytes of address space, while it lives.
class AddressSpaceUsedUp {
 public:
  explicit AddressSpaceUsedUp(long left) {
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(pages * 4096 + left);
    setrlimit(RLIMIT_AS, &limit);
  }
  ~AddressSpaceUsedUp() { setrlimit(RLIMIT_AS, &before_); }
  AddressSpaceUsedUp(const AddressSpaceUsedUp &) = delete;
  AddressSpaceUsedUp &operator=(const AddressSpaceUsedUp &) = delete;

 private:
  rlimit before_;
};

}  // namespace

int main(int argc, char **argv) {
  const long size = size_argument(argc, argv, 20);
  long max_map_count = 0;
  std::ifstream("/proc/sys/vm/max_map_count") >> max_map_count;
  const bool uses_up = size >= 12;
  check_trees(4);  // the runtime starts with what it needs
  for (int round = 0; round < 3; ++round) {
    if (uses_up && max_map_count < 1'000'000) {
      MappingsUsedUp used(4L * round);
      check_trees(size);
    }
    check_trees(size);
    if (uses_up) {
      AddressSpaceUsedUp used((9L << 20) * round);
      check_trees(size);
    }
    check_trees(size);
  }
  printf("no_segments: %ld\n", size);
  return 0;
}
