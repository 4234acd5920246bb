// For memcheck: a child leaves an uninitialized value in the register in which the following pop
// expects the deque's bottom. No result depends on it.
#include <cilk/cilk.h>

#include <cstdio>
#include <cstdlib>

[[gnu::noinline]] static void leave(const long *uninitialized) {
#if defined(__x86_64__)
  __asm__ volatile("movq (%0), %%r10" ::"r"(uninitialized) : "r10");
#else
  static_cast<void>(uninitialized);
#endif
}

int main() {
  long *uninitialized = static_cast<long *>(std::malloc(sizeof(long)));
  for (int i = 0; i < 10; ++i) cilk_spawn leave(uninitialized);
  cilk_sync;
  std::free(uninitialized);
  std::puts("right");
}
