/* What every generated program stands on, in C and C++. The generator puts the text into the
 * program, so that a program is one file.
 *
 * Values of all kinds are made from a 64-bit number (make_KIND, in C++ also a class's constructor)
 * and read into one (use). The classes are in prelude.hpp.
 */
#include <cilk/cilk.h>
#include <errno.h>
#include <stdarg.h>
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

/* Gives a thief a chance when no steal is forced. */
NOINLINE UNUSED static void linger(u64 n) {
  if (n % 16 == 0) {
    struct timespec pause = {0, 20 * 1000};
    nanosleep(&pause, NULL);
  } else {
    for (volatile u64 i = 0; i < (n & 255); ++i) {
    }
  }
}

/* Children of long loops. */
NOINLINE UNUSED static void idle(u64 n) {
  volatile u64 unused = n;
  (void)unused;
}
NOINLINE UNUSED static void set(u64 *to, u64 n) { *to = n; }

#ifdef __cplusplus
#define ALIGN32 alignas(32)
#else
#define ALIGN32 _Alignas(32)
#endif

/* Reports a fault that no correct run of the program can have. */
NOINLINE UNUSED static void wrong(const char *what) {
  printf("wrong: %s\n", what);
  fflush(stdout);
  abort();
}

#ifdef __cplusplus
#define THREAD_LOCAL thread_local
typedef bool Flag;
#else
#define THREAD_LOCAL _Thread_local
typedef _Bool Flag;
#endif

/* What belongs to the thread is the current thread's, before and after every spawn and sync. */
THREAD_LOCAL u64 of_thread = 42;
static THREAD_LOCAL int of_file = 7;
NOINLINE UNUSED static void thread_is(const volatile u64 *a, const volatile int *b,
                                      const volatile int *c) {
  if (a != &of_thread || b != &of_file || c != &errno || *a != 42 || *b != 7)
    wrong("a thread's variable is another thread's");
}
#define check_thread() thread_is(&of_thread, &of_file, &errno)

/* A pointer that the optimizer does not follow. */
NOINLINE UNUSED static void *same(void *p) {
  void *volatile q = p;
  return q;
}

NOINLINE UNUSED static u64 variadic(int count, ...) {
  va_list list;
  va_start(list, count);
  u64 n = (u64)count;
  for (int i = 0; i < count; ++i) n = mix(n, va_arg(list, u64));
  va_end(list);
  linger(n);
  return n;
}

typedef struct Small {
  int a;
  short b;
} Small;
typedef struct Pair {
  double d;
  u64 n;
} Pair;
typedef struct Floats {
  float a, b, c;
} Floats;
typedef struct Odd {
  char c[3];
} Odd;
typedef struct Large {
  u64 w[9];
  int tail;
} Large;
typedef struct Aligned {
  ALIGN32 u64 w[4];
} Aligned;
typedef int Vector __attribute__((vector_size(16)));
typedef int Vector8 __attribute__((vector_size(32)));
typedef unsigned __int128 Wide;
typedef _BitInt(37) Bits37;
typedef unsigned _BitInt(200) Bits200;
typedef double _Complex Complex;
#ifdef __cplusplus
typedef struct alignas(64) Line {
  u64 w[2];
} Line;
#else
typedef struct Line {
  _Alignas(64) u64 w[2];
} Line;
#endif
typedef struct Fields {
  unsigned a : 5;
  int b : 11;
  u64 c : 40;
} Fields;
typedef union Either {
  u64 n;
  double d;
  char text[24];
} Either;
typedef struct Huge {
  u64 w[700];
} Huge;

UNUSED static inline double make_double(u64 n) {
  return (double)(int64_t)(n & 0xffffffffu) * 0.25 - 1000.0;
}
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
UNUSED static inline u64 use_Floats(Floats f) {
  return mix(use_float(f.a), mix(use_float(f.b), use_float(f.c)));
}
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
  if (place % 32 != 0) wrong("an Aligned is not aligned");
  return mix(a->w[0], mix(a->w[1], mix(a->w[2], a->w[3])));
}
#define use_Aligned(a) use_Aligned_at(&(a))
UNUSED static inline Vector make_Vector(u64 n) {
  Vector v = {(int)n, (int)(n >> 8), (int)(n >> 16), (int)(n >> 24)};
  return v;
}
UNUSED static inline u64 use_Vector(Vector v) {
  return mix((u64)v[0], mix((u64)v[1], mix((u64)v[2], (u64)v[3])));
}
UNUSED static inline Vector8 make_Vector8(u64 n) {
  Vector8 v;
  for (int i = 0; i < 8; ++i) v[i] = (int)(n >> (i * 7));
  return v;
}
UNUSED static inline u64 use_Vector8(Vector8 v) {
  u64 n = 1;
  for (int i = 0; i < 8; ++i) n = mix(n, (u64)v[i]);
  return n;
}
UNUSED static inline Wide make_Wide(u64 n) { return ((Wide)mix(n, 1) << 64) | n; }
UNUSED static inline u64 use_Wide(Wide w) { return mix((u64)w, (u64)(w >> 64)); }
UNUSED static inline Bits37 make_Bits37(u64 n) { return (Bits37)n; }
UNUSED static inline u64 use_Bits37(Bits37 b) { return (u64)b; }
UNUSED static inline Bits200 make_Bits200(u64 n) { return ((Bits200)mix(n, 2) << 130) | n; }
UNUSED static inline u64 use_Bits200(Bits200 b) { return mix((u64)b, (u64)(b >> 130)); }
UNUSED static inline Complex make_Complex(u64 n) {
  Complex c;
  __real__ c = make_double(n);
  __imag__ c = make_double(n >> 7);
  return c;
}
UNUSED static inline u64 use_Complex(Complex c) {
  return mix(use_double(__real__ c), use_double(__imag__ c));
}
UNUSED static inline Line make_Line(u64 n) {
  Line l = {{n, n * 5}};
  return l;
}
UNUSED static inline u64 use_Line_at(const Line *l) {
  volatile uintptr_t place = (uintptr_t)l;
  if (place % 64 != 0) wrong("a Line is not aligned");
  return mix(l->w[0], l->w[1]);
}
#define use_Line(l) use_Line_at(&(l))
UNUSED static inline Fields make_Fields(u64 n) {
  Fields f = {(unsigned)(n & 31), (int)(n >> 5 & 1023), n >> 20 & 0xffffffu};
  return f;
}
UNUSED static inline u64 use_Fields(Fields f) { return mix(f.a, mix((u64)f.b, f.c)); }
UNUSED static inline Either make_Either(u64 n) {
  Either e;
  memset(&e, 0, sizeof e);
  e.n = n;
  e.text[23] = (char)n;
  return e;
}
UNUSED static inline u64 use_Either(Either e) { return mix(e.n, (u64)e.text[23]); }
NOINLINE UNUSED static Huge make_Huge(u64 n) {
  Huge h;
  for (int i = 0; i < 700; ++i) h.w[i] = n + (u64)i;
  return h;
}
NOINLINE UNUSED static u64 use_Huge_at(const Huge *h) {
  u64 n = 0;
  for (int i = 0; i < 700; i += 9) n = mix(n, h->w[i]);
  return n;
}
#define use_Huge(h) use_Huge_at(&(h))
