// A loop of tiny children whose first child waits until the last has begun: so the rest of the loop
// is stolen, and runs in the slow clone. Used by stolen_test.py.
#include <cilk/cilk.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#ifndef CILK_SERIAL
#include <unistd.h>
#endif

namespace {

std::atomic<long> sum{0};
std::atomic<bool> is_over{false};

long mixed(long value) {
  auto x = static_cast<unsigned long>(value);
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  return static_cast<long>(x ^ (x >> 33));
}

/// One child in 1,024, the first among them.
__attribute__((noinline)) void be_rare(long i) {
  sum.fetch_add(i, std::memory_order_relaxed);
#ifndef CILK_SERIAL
  for (long waits = 0; i == 0 && !is_over.load(std::memory_order_acquire); ++waits) {
    if (waits == 2'000) std::abort();  // twenty seconds: nobody has stolen
    usleep(10'000);
  }
#endif
}

inline void child(long i) {
  if (mixed(i) % 1024 == 0) be_rare(i);
}

__attribute__((noinline)) void spawn_all(long n) {
  for (long i = 0; i < n; ++i) cilk_spawn child(i);
  is_over.store(true, std::memory_order_release);
  cilk_sync;
}

}  // namespace

int main(int, char **argv) {
  spawn_all(std::strtol(argv[1], nullptr, 10));
  std::printf("%s children: %ld\n", argv[1], sum.load());
}
