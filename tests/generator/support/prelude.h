/* What every generated program stands on, in C and C++. The generator puts the text into the program, so that a program is one file.
 *
 * Values of all kinds are made from a 64-bit number (make_KIND, in C++ also a class's constructor) and read into one (use). The
 * classes are in prelude.hpp.
 */
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

#define NOINLINE __attribute__((noinline))
#define UNUSED __attribute__((unused))

/* Every read of a value goes through here, so that one lost bit shows in what main prints. */
UNUSED static inline u64 mix(u64 a, u64 b) {
  a ^= b + 0x9e3779b97f4a7c15u;
  a *= 0xff51afd7ed558ccdu;
  return a ^ (a >> 29);
}

/* Makes a thief's chance when nothing is stolen by force. */
NOINLINE UNUSED static void linger(u64 n) {
  if (n % 16 == 0) {
    struct timespec pause = {0, 20 * 1000};
    nanosleep(&pause, NULL);
  } else {
    for (volatile u64 i = 0; i < (n & 255); ++i) {
    }
  }
}

#ifdef __cplusplus
#define ALIGN32 alignas(32)
#else
#define ALIGN32 _Alignas(32)
#endif

typedef struct Small { int a; short b; } Small;
typedef struct Pair { double d; u64 n; } Pair;
typedef struct Floats { float a, b, c; } Floats;
typedef struct Odd { char c[3]; } Odd;
typedef struct Large { u64 w[9]; int tail; } Large;
typedef struct Aligned { ALIGN32 u64 w[4]; } Aligned;
typedef int Vector __attribute__((vector_size(16)));

UNUSED static inline double make_double(u64 n) { return (double)(int64_t)(n & 0xffffffffu) * 0.25 - 1000.0; }
UNUSED static inline float make_float(u64 n) { return (float)(n & 0xffffu) * 0.5f - 3.0f; }
UNUSED static inline u64 use_double(double d) {
  u64 n;
  memcpy(&n, &d, sizeof n);
  return n;
}
UNUSED static inline u64 use_float(float f) { return use_double(f); }
UNUSED static inline Small make_Small(u64 n) {
  Small s = {(int)n, (short)(n >> 32)};
  return s;
}
UNUSED static inline u64 use_Small(Small s) { return mix((u64)s.a, (u64)s.b); }
UNUSED static inline Pair make_Pair(u64 n) {
  Pair p = {make_double(n), n * 3};
  return p;
}
UNUSED static inline u64 use_Pair(Pair p) { return mix(use_double(p.d), p.n); }
UNUSED static inline Floats make_Floats(u64 n) {
  Floats f = {make_float(n), make_float(n >> 16), make_float(n >> 32)};
  return f;
}
UNUSED static inline u64 use_Floats(Floats f) { return mix(use_float(f.a), mix(use_float(f.b), use_float(f.c))); }
UNUSED static inline Odd make_Odd(u64 n) {
  Odd o = {{(char)n, (char)(n >> 8), (char)(n >> 16)}};
  return o;
}
UNUSED static inline u64 use_Odd(Odd o) { return mix((u64)o.c[0], mix((u64)o.c[1], (u64)o.c[2])); }
NOINLINE UNUSED static Large make_Large(u64 n) {
  Large l;
  for (int i = 0; i < 9; ++i) l.w[i] = n + (u64)i;
  l.tail = (int)n;
  return l;
}
UNUSED static inline u64 use_Large(Large l) {
  u64 n = (u64)l.tail;
  for (int i = 0; i < 9; ++i) n = mix(n, l.w[i]);
  return n;
}
UNUSED static inline Aligned make_Aligned(u64 n) {
  Aligned a = {{n, n ^ 1, n ^ 2, n ^ 3}};
  return a;
}
/* Its address must be what its type asks for, wherever it lives. */
UNUSED static inline u64 use_Aligned_at(const Aligned *a) {
  volatile uintptr_t place = (uintptr_t)a;
  if (place % 32 != 0) {
    printf("an Aligned is not aligned\n");
    fflush(stdout);
    abort();
  }
  return mix(a->w[0], mix(a->w[1], mix(a->w[2], a->w[3])));
}
#define use_Aligned(a) use_Aligned_at(&(a))
UNUSED static inline Vector make_Vector(u64 n) {
  Vector v = {(int)n, (int)(n >> 8), (int)(n >> 16), (int)(n >> 24)};
  return v;
}
UNUSED static inline u64 use_Vector(Vector v) { return mix((u64)v[0], mix((u64)v[1], mix((u64)v[2], (u64)v[3]))); }
