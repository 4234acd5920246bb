// Fibers of the program's own that spawn, each run to its end within one child: a fiber's stack is
// not the segment's, so where the child waits nothing between the two is released.
//
// matrix: sanitizers undefined (the others would have to be told of each switch)
#include <cilk/cilk.h>

#include "../support/check.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <cstdint>
#include <cstdio>

namespace {

constexpr long kFibers = 16;
constexpr std::size_t kStackBytes = std::size_t{256} << 10;

long leaf(long n) {
  usleep(500);
  return n;
}

// What the function itself does takes longer than its child, whose worker then waits at the sync.
long both(long n) {
  const long x = cilk_spawn leaf(n);
  const long y = leaf(n + 1) + leaf(n + 2);
  cilk_sync;
  return x + y;
}

struct Fiber {
  ucontext_t self, back;
  long in = 0, out = 0;
};

// makecontext passes ints.
void entry(unsigned low, unsigned high) {
  auto *fiber = reinterpret_cast<Fiber *>(std::uintptr_t{high} << 32 | low);
  fiber->out = both(fiber->in);
}

NOINLINE long in_fiber(long n, char *stack) {
  volatile long locals[1000];
  for (volatile long &value : locals) value = n;
  Fiber fiber;
  getcontext(&fiber.self);
  fiber.self.uc_stack.ss_sp = stack;
  fiber.self.uc_stack.ss_size = kStackBytes;
  fiber.self.uc_link = &fiber.back;
  fiber.in = n;
  const auto address = reinterpret_cast<std::uintptr_t>(&fiber);
  makecontext(&fiber.self, reinterpret_cast<void (*)()>(entry), 2, static_cast<unsigned>(address),
              static_cast<unsigned>(address >> 32));
  swapcontext(&fiber.back, &fiber.self);
  for (volatile long &value : locals) CHECK_EQ(value, n);
  return fiber.out;
}

}  // namespace

int main() {
  void *mapped = mmap(nullptr, kFibers * kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(mapped != MAP_FAILED);
  char *const stacks = static_cast<char *>(mapped);
  long sum = 0;
  for (int round = 0; round < 3; ++round) {
    long results[kFibers];
    cilk_for (long i = 0; i < kFibers; ++i)
      results[i] = in_fiber(i, stacks + i * static_cast<long>(kStackBytes));
    for (long i = 0; i < kFibers; ++i) {
      CHECK_EQ(results[i], 3 * i + 3);
      sum += results[i];
    }
  }
  std::printf("fibers: %ld\n", sum);
}
