/* Functions of odd shapes that spawn: frames over 1 MiB, arrays of unknown length in loops, inline
 * assembly, Duff's device, a loop with two entries, spawns in a switch, cleanups, compound
 * literals, more arguments than registers, constructors and destructors of the program,
 * __builtin_setjmp in a function that is inlined.
 *
 * matrix: segments default (frames of 2 MB)
 */

#include <cilk/cilk.h>

#include "../support/check.h"

static NOINLINE long id(long n) {
  linger();
  return n;
}
static NOINLINE void fill(long *p, int n, long v) {
  linger();
  for (int i = 0; i < n; i++) p[i] = v + i;
}
static long vla_in_loop(int n) {
  long s = 0;
  for (int i = 1; i <= n; i++) {
    long v[i], w[2 * i];
    cilk_spawn fill(v, i, i);
    fill(w, 2 * i, i);
    cilk_sync;
    for (int j = 0; j < i; j++) s += v[j] * w[j + i];
  }
  return s;
}

static long inline_asm(long n) {
  long out, in = n, tied = 3;
  __asm__("mov %1, %0\n\tadd $5, %0" : "=&r"(out) : "r"(in) : "cc");
  long x = cilk_spawn id(out);
  __asm__ volatile("add %1, %0" : "+r"(tied) : "r"(n) : "cc", "rbx", "r12", "r13", "r14", "r15");
  long mem[2] = {n, 0};
  __asm__ volatile("movq (%1), %%rax\n\tmovq %%rax, 8(%1)"
                   : "+m"(mem)
                   : "r"(mem)
                   : "rax", "memory");
  long y = cilk_spawn id(mem[1]);
  int flag;
  __asm__("cmp %1, %2" : "=@ccl"(flag) : "r"(1L), "r"(n));
  unsigned lo, hi;
  __asm__("mov $7, %0; mov $8, %1" : "=r"(lo), "=r"(hi));
  cilk_sync;
  __asm__ volatile("" ::: "memory", "rbx", "r12");
  return x + y + tied + flag + lo + hi;
}

static long duff(const int *from, int count, long *total) {
  long parts[8] = {0};
  int i = 0, n = (count + 7) / 8;
  long s = 0;
  switch (count % 8) {
    case 0:
      do {
        parts[0] = cilk_spawn id(from[i++]);
        case 7:
          parts[1] = cilk_spawn id(from[i++]);
        case 6:
          parts[2] = cilk_spawn id(from[i++]);
        case 5:
          parts[3] = cilk_spawn id(from[i++]);
        case 4:
          parts[4] = cilk_spawn id(from[i++]);
        case 3:
          parts[5] = cilk_spawn id(from[i++]);
        case 2:
          parts[6] = cilk_spawn id(from[i++]);
        case 1:
          parts[7] = cilk_spawn id(from[i++]);
          cilk_sync;
          for (int j = 0; j < 8; j++) s = s * 3 + parts[j], parts[j] = 0;
      } while (--n > 0);
  }
  *total = s;
  return i;
}

static long irreducible(long n) {
  long s = 0, a = 0, b = 0;
  if (n & 1) goto middle;
top:
  a = cilk_spawn id(s + n);
  s += 3;
middle:
  b = cilk_spawn id(s * 2);
  s ^= 0x55;
  if (n-- > 0) {
    if (n % 3 == 0) {
      cilk_sync;
      s += a;
      goto middle;
    }
    cilk_sync;
    s += b;
    goto top;
  }
  cilk_sync;
  return s + a * 7 + b;
}

static long cleaned_total;
static void cleanup(long **p) { cleaned_total += **p; }
static long cleanups(long n) {
  long v = n;
  __attribute__((cleanup(cleanup))) long *g = &v;
  v = cilk_spawn id(n * 2);
  {
    __attribute__((cleanup(cleanup))) long *h = &n;
    long x = cilk_spawn id(2);
    cilk_sync;
    n += x;
  }
  return n;
}

struct point {
  int x, y;
  long z[5];
};
static NOINLINE long sum_point(struct point p, const struct point *q) {
  linger();
  return p.x + p.y * 10 + p.z[2] * 100 + q->x * 3 + q->z[4];
}
static NOINLINE long sum_array(const int *a, int n) {
  linger();
  long s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
static long designated(int n) {
  long r[4];
  for (int i = 0; i < 4; i++) {
    r[i] = cilk_spawn sum_point((struct point){.y = n, .x = i, .z = {[2] = 7}},
                             &(struct point){.x = n, .z[4] = 3});
    cilk_sync;
  }
  long a = cilk_spawn sum_array((int[]){n, 2, 3}, 3);
  long b = cilk_spawn sum_array((int[4]){[3] = n}, 4);
  struct point p = {.x = 1, .z = {[1] = 4}};
  long c = cilk_spawn sum_point(p, &p);
  p.y = 9;  // the child has a copy of it; through the address it reads x and z only
  cilk_sync;
  return r[0] + r[1] + r[2] + r[3] + a + b + c;
}

static long switches(int n) {
  long s = 0, x = 0, y = 0;
  for (int i = 0; i < n; i++) switch (i % 5) {
      case 0:
        x = cilk_spawn id(i);
        break;
      case 1: {
        long z = cilk_spawn id(i);
        y = cilk_spawn id(2 * i);
        cilk_sync;
        s += z;
      }
      case 2:
        s += 1;
        cilk_sync;
        s += x;
        break;
      case 3 ... 3:
        cilk_spawn id(0);
        continue;
      default:
        cilk_sync;
        s += y;
    }
  cilk_sync;
  return s + x + y;
}

static long big_frame(int n) {
  long big[200000];
  long big2[50000];
  for (int i = 0; i < 200000; i += 1000) big[i] = i;
  for (int i = 0; i < 4; i++) cilk_spawn fill(big + i * 1000, 900, i);
  big2[7] = 5;
  cilk_spawn fill(big2 + 100, 1000, n);
  if (n > 0)
    big[199999] = big_frame(n - 1);
  else
    big[199999] = 0;
  cilk_sync;
  long s = big2[7] + big2[200];
  for (int i = 0; i < 200000; i += 1000) s += big[i];
  return s + big[199999];
}

__attribute__((constructor)) static void early(void) {
  long x = cilk_spawn id(5);
  long y = id(6);
  cilk_sync;
  cleaned_total += x * y;
}
__attribute__((destructor)) static void late(void) {
  long x = cilk_spawn id(5);  // matrix: never (the statistics are written before)
  long y = id(6);
  cilk_sync;
  printf("late %ld\n", x * y);
  fflush(stdout);
}

void restrict_sum(long *restrict a, const long *restrict b) {
  a[0] = cilk_spawn id(b[0]);
  a[1] = b[1];
  cilk_sync;
  a[2] = a[0] + a[1];
}
static NOINLINE long many(long a, int b, char c, double d, float e, long f, struct point g, short h,
                          long i, void *j, double k, float l, double m, double n, double o,
                          double p, double q, double r, struct point s, long t, __int128 u,
                          long double v) {
  linger();
  return a + b + c + d + e + f + g.x + g.z[4] + h + i + (j != 0) + k + l + m + n + o + p + q + r +
         s.y + t + (long)u + (long)v;
}
static long many_arguments(long n) {
  struct point p = {1, 2, {3, 4, 5, 6, 7}};
  long x =
      cilk_spawn many(n, 1, 2, 3, 4, 5, p, 6, 7, &n, 8, 9, 10, 11, 12, 13, 14, 15, p, 16, 17, 18);
  p.z[4] = 100;
  long y =
      cilk_spawn many(n, 1, 2, 3, 4, 5, p, 6, 7, 0, 8, 9, 10, 11, 12, 13, 14, 15, p, 16, 17, 18);
  p.x = 9;
  cilk_sync;
  return x + 2 * y + p.x;
}
static long many_args_spawner(long a, int b, char c, double d, float e, long f, struct point g,
                              short h, long i, void *j, double k, float l, double m, double n,
                              double o, double p, double q, double r, struct point s, long t,
                              __int128 u, long double v) {
  long x = cilk_spawn id(a + g.x);
  g.x = 50;
  s.y++;
  cilk_sync;
  return x + a + b + c + d + e + f + g.x + g.z[4] + h + i + (j != 0) + k + l + m + n + o + p + q +
         r + s.y + t + (long)u + (long)v;
}

/* After a steal, too, setjmp keeps the stack pointer and no mark of the frame's arena. */
static NOINLINE void leap(void **buffer) { __builtin_longjmp(buffer, 1); }
static inline __attribute__((always_inline)) long jumps(long n) {
  void *buffer[5];
  volatile long kept = n;
  if (!__builtin_setjmp(buffer)) leap(buffer);
  return kept;
}
static long jumps_beside_child(int n) {
  long x = cilk_spawn id(n);
  long y = jumps(n + 1);
  cilk_sync;
  return x * y;
}

/* The size of a local, which is a part of the frame. */
static NOINLINE long size_of(const void *const p __attribute__((pass_object_size(0)))) {
  linger();
  return (long)__builtin_object_size(p, 0);
}
static NOINLINE long sizes(void) {
  char first[77], second[100];
  first[0] = second[0] = 1;
  long a = cilk_spawn size_of(first);
  long b = cilk_spawn size_of(second + 10);
  cilk_sync;
  return 1000 * a + b;
}

int main(void) {
  printf("sizes %ld\n", sizes());
  printf("arrays: %ld, assembly: %ld\n", vla_in_loop(6), inline_asm(9));
  int from[21];
  for (int i = 0; i < 21; i++) from[i] = i * i;
  long t;
  long c = duff(from, 21, &t);
  printf("duff %ld %ld\n", c, t);
  printf("irreducible %ld %ld\n", irreducible(10), irreducible(11));
  printf("cleanups %ld %ld\n", cleanups(4), cleaned_total);
  printf("designated %ld\n", designated(3));
  printf("switches %ld\n", switches(23));
  printf("big %ld\n", big_frame(1));
  long a[3], b[2] = {4, 5};
  restrict_sum(a, b);
  struct point p = {1, 2, {3, 4, 5, 6, 7}};
  printf("restrict: %ld, many: %ld %ld\n", a[2], many_arguments(2),
         many_args_spawner(2, 1, 2, 3, 4, 5, p, 6, 7, &t, 8, 9, 10, 11, 12, 13, 14, 15, p, 16, 17,
                           18));
  printf("jumps %ld\n", jumps_beside_child(6));
  return 0;
}
