/* Attributes of functions that spawn, and of functions that are spawned: targets and clones of the
 * processor, calling conventions, inlining, visibility, aliases, resolvers, and promises (pure,
 * const, malloc, noreturn, leaf); over-aligned structs by value; tail calls.
 *
 * matrix: flags -Wno-unused-value
 */

#include <cilk/cilk.h>

#include <stdint.h>

#include "../support/check.h"

static NOINLINE long id(long n) {
  linger();
  return n;
}
#define BODY                                                                     \
  {                                                                              \
    long x = cilk_spawn id(n); /* matrix: elsewhere (where the macro is used) */ \
    long y = id(n + 1);                                                          \
    cilk_sync;                                                                   \
    return x * y;                                                                \
  }
__attribute__((target("avx2"))) long avx2(long n, float *a) {
  long x = cilk_spawn id(n);
  for (int i = 0; i < 64; i++) a[i] = a[i] * 2 + i;
  cilk_sync;
  for (int i = 0; i < 64; i++) a[i] += x;
  return (long)a[5];
}
__attribute__((target("avx512f"))) long avx512(long n, float *a) {
  long x = cilk_spawn id(n);
  float t[64];
  for (int i = 0; i < 64; i++) t[i] = a[i] * 2 + i;
  cilk_spawn id(n);
  for (int i = 0; i < 64; i++) a[i] = t[i] + 1;
  cilk_sync;
  for (int i = 0; i < 64; i++) a[i] += x;
  return (long)a[5];
}
__attribute__((target_clones("avx2", "default"))) long clones(long n, float *a) {
  long x = cilk_spawn id(n);  // matrix: some (one of the clones runs)
  for (int i = 0; i < 64; i++) a[i] = a[i] * 2 + i;
  cilk_sync;
  return (long)a[5] + x;
}
/* clang-format off */
__attribute__((always_inline)) static inline long always(long n) BODY
__attribute__((gnu_inline)) extern inline long gnuinl(long n) BODY
long gnuinl(long n) { return -n; }
__attribute__((weak)) long weakf(long n) BODY
long target_of_alias(long n) BODY
long aliased(long n) __attribute__((alias("target_of_alias")));
__attribute__((visibility("hidden"))) long hidden(long n) BODY
__attribute__((visibility("protected"))) long prot(long n) BODY
__attribute__((section(".text.special"))) long sect(long n) BODY
__attribute__((hot)) long hotf(long n) BODY
__attribute__((cold)) long coldf(long n) BODY
__attribute__((optnone, noinline)) long onone(long n) BODY
__attribute__((minsize)) long msize(long n) BODY
__attribute__((flatten)) long flat(long n) BODY
__attribute__((preserve_most)) long pmost(long n) BODY
__attribute__((preserve_all)) long pall(long n) BODY
__attribute__((ms_abi)) long msabi(long n, double d, long a, long b, long c, long e) {
  long x = cilk_spawn id(n);
  long y = id(n + 1);
  cilk_sync;
  return x * y + a + b + c + e + (long)d;
}
__attribute__((vectorcall)) double vcall(double n) {
  long x = cilk_spawn id(n);
  long y = id(n + 1);
  cilk_sync;
  return x * y;
}
__attribute__((regcall)) long rcall(long a, long b, long c, long d, long e, long f, long g, long h,
                                    long i) {
  long x = cilk_spawn id(a);
  long y = id(i);
  cilk_sync;
  return x * y + b + c + d + e + f + g + h;
}
__attribute__((pure)) long puref(long n) BODY
__attribute__((const)) long constf(long n) BODY
__attribute__((nothrow, leaf)) long leaff(long n) BODY
__attribute__((used)) static long usedf(long n) BODY
__attribute__((no_stack_protector)) long nsp(long n) BODY
__attribute__((aligned(128))) long algn(long n) BODY
__attribute__((no_sanitize("all"))) long nosan(long n) BODY
__attribute__((patchable_function_entry(4, 2))) long patchable(long n) BODY
__attribute__((malloc, alloc_size(1))) void *mall(long n) {
  long x = cilk_spawn id(n);
  void *p = malloc(n);
  cilk_sync;
  CHECK(x == n);
  return p;
}
__attribute__((returns_nonnull)) void *rnn(long n) {
  static char c[9];
  long x = cilk_spawn id(n);
  id(3);
  cilk_sync;
  return c + x;
}
__attribute__((noreturn)) static void ends(long n) {
  long x = cilk_spawn id(n);
  long y = id(2);
  cilk_sync;
  printf("ends %ld\n", x + y);
  exit(0);
}
static long resolver_impl(long n) BODY
static long (*resolve(void))(long) { return resolver_impl; }
long ifn(long n) __attribute__((ifunc("resolve")));
/* clang-format on */
/* Nothing is returned in a register, since Clang 22 restores that, too, without optimization. */
__attribute__((no_caller_saved_registers, target("general-regs-only"))) NOINLINE void saves_all(
    long n, long *result) {
  if (n < 2) {
    *result = n;
    return;
  }
  long x, y;
  cilk_spawn saves_all(n - 1, &x);
  saves_all(n - 2, &y);
  cilk_sync;
  *result = x + y;
}
__attribute__((disable_tail_calls)) long dtc(long n) {
  long x = cilk_spawn id(n);
  cilk_sync;
  return id(x);
}
__attribute__((preserve_most)) NOINLINE long cpm(long n) {
  linger();
  return n + 1;
}
__attribute__((preserve_all)) NOINLINE long cpa(long n) {
  linger();
  return n + 1;
}
__attribute__((ms_abi)) NOINLINE long cms(long n, double d, long a, long b, long c, long e) {
  linger();
  return n + d + a + b + c + e;
}
__attribute__((vectorcall)) NOINLINE double cvc(double n, double m) {
  linger();
  return n + m;
}
__attribute__((regcall)) NOINLINE long crc(long a, long b, long c, long d, long e, long f, long g,
                                           long h, long i) {
  linger();
  return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9;
}
__attribute__((noreturn)) NOINLINE void cnr(void) {
  linger();
  _exit(3);
}
NOINLINE __attribute__((const)) long cconst(long n) { return n * n; }
NOINLINE __attribute__((pure)) long cpure(long *n) { return *n * *n; }
struct alignas64 {
  _Alignas(64) long v[16];
};
NOINLINE long byval(struct alignas64 s, long n, struct alignas64 t) {
  linger();
  CHECK((uintptr_t)&s % 64 == 0);
  return s.v[3] + n + t.v[7];
}
NOINLINE struct alignas64 retbig(long n) {
  linger();
  struct alignas64 s = {{n, n + 1, n + 2}};
  return s;
}
long byval_spawner(struct alignas64 s, long n) {
  long x = cilk_spawn id(s.v[1]);
  s.v[1] = 7;
  n += s.v[1];
  struct alignas64 r = cilk_spawn retbig(n);
  cilk_sync;
  CHECK((uintptr_t)&s % 64 == 0);
  CHECK((uintptr_t)&r % 64 == 0);
  return x + s.v[1] + n + r.v[2] + byval(s, 1, r);
}
struct alignas64 sret_spawner(long n) {
  struct alignas64 s = {{0}};
  for (int i = 0; i < 16; i++) s.v[i] = cilk_spawn id(n + i);
  cilk_sync;
  return s;
}
long ccs(long n) {
  long a = cilk_spawn cpm(n), b = cilk_spawn cpa(n), c = cilk_spawn cms(n, 2.5, 3, 4, 5, 6),
       e = cilk_spawn crc(n, 1, 2, 3, 4, 5, 6, 7, 8);
  double d = cilk_spawn cvc(n, 1.5);
  long f = cilk_spawn cconst(n), g = cilk_spawn cpure(&n);
  struct alignas64 s = {{1, 2, 3, 4}};
  long h = cilk_spawn byval(s, n, s);
  s.v[3] = 100;
  cilk_sync;
  if (n < 0) {
    cilk_spawn cnr();  // matrix: never (it does not return: done in place)
  }
  cilk_spawn cconst(n);
  return a + b + c + e + (long)(d * 2) + f + g + h + s.v[3];
}
/* tail calls */
NOINLINE long tail(long n, long acc) {
  if (n == 0) return acc;
  long x = cilk_spawn id(n);
  cilk_sync;
  return tail(n - 1, acc + x);
}
NOINLINE long tail2(long n, long acc) {
  if (n == 0) {
    long x = cilk_spawn id(acc);
    cilk_sync;
    return x;
  }
  return tail2(n - 1, acc + 1);
}

int main(void) {
  float a[64] = {1, 2, 3, 4, 5, 6};
  printf("%ld\n", avx2(3, a));
  if (__builtin_cpu_supports("avx512f")) avx512(2, a);
  printf("%ld\n", clones(3, a));
  printf("%ld %ld %ld %ld %ld\n", always(3) + always(4), gnuinl(5) > 0 ? 1L : 1L, weakf(3),
         aliased(3), hidden(3) + prot(4) + sect(5));
  printf("%ld %ld %ld %ld %ld\n", hotf(3) + coldf(4), onone(5), msize(3), flat(3),
         pmost(3) + pall(4));
  printf("%ld %g %ld\n", msabi(1, 2, 3, 4, 5, 6), vcall(3), rcall(1, 2, 3, 4, 5, 6, 7, 8, 9));
  printf("%ld %ld %ld %ld\n", puref(3) + puref(3), constf(4), leaff(5), usedf(6));
  void *block = mall(4);
  CHECK(block);
  free(block);
  printf("%ld %ld %ld %ld %d\n", nsp(3), algn(4), nosan(5), patchable(6), *(char *)rnn(2));
  printf("%ld %ld\n", ifn(4), dtc(3));
  long saved;
  saves_all(11, &saved);
  printf("%ld\n", saved);
  printf("%ld\n", ccs(5));
  struct alignas64 z = {{1, 2}};
  printf("%ld\n", byval_spawner(z, 4));
  z = sret_spawner(3);
  printf("%ld\n", z.v[9]);
  printf("%ld %ld\n", tail(20, 0), tail2(20, 0));
  fflush(stdout);
  ends(4);
}
