// Two strands of one length, many times: parallelism 2.
#include <cilk/cilk.h>

namespace {
volatile long sink;
[[gnu::noinline]] void work() {
  for (long i = 0; i < 200000; ++i) sink = sink + 1;
}
}  // namespace

int main() {
  for (int i = 0; i < 100; ++i) {
    cilk_spawn work();
    work();
    cilk_sync;
  }
}
