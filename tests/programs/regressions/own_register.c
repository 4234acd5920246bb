/* A child that is inlined, and uses the register of the predicted bottom for an int of its own,
 * through an empty assembly like the fast path's: the pop took that for what the push had left, of
 * the wrong type. */
// matrix: flags -flto=thin

#include <cilk/cilk.h>

#include <stdio.h>

static inline void child(long *out, int i) {
#if defined(__x86_64__)
  register int x __asm__("r10") = i;
#else
  int x = i;
#endif
  __asm__ volatile("" : "+r"(x));
  *out = x * 3;
}

static __attribute__((noinline)) long fill(long n, long *out) {
  for (long i = 0; i < n; ++i) cilk_spawn child(out + i, (int)(n + i));
  cilk_sync;
  return n;
}

int main(void) {
  long out[50] = {0}, sum = 0;
  for (long n = 0; n < 12; ++n) {
    fill(n, out);
    for (long i = 0; i < n; ++i) sum = sum * 3 % 1000003 + out[i];
  }
  printf("%ld\n", sum);
  return 0;
}
