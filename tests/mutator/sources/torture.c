/* What compilers get wrong: promotions, shifts, aliasing through unions, comma, short circuits,
   sequence points, overlapping moves, tail calls, dead stores, loops that never run, static locals,
   enum sizes, string literals, nested conditionals, long parameter lists. */
#include "common.h"

enum __attribute__((packed)) tiny { MINUS = -1, ZERO, ONE };

static int promote(signed char a, unsigned char b, short c) {
  unsigned short u = (unsigned short)(a - b);
  int wrapped = u + c;
  signed char back = (signed char)wrapped;
  return back + (a < b) - (u > 60000);
}
static unsigned shifts(unsigned n, int by) {
  unsigned r = n << (by & 31) | n >> ((32 - by) & 31);
  r ^= (unsigned)((int)n >> 31);
  return by ? r : n;
}
static int order(int *p) {
  int a = (*p)++, b = ++*p;
  int c = (*p += 2, *p * 2);
  return a || (*p = 99) ? (b && c, a + b + c) : -1;
}
static int counted(void) {
  static int calls;
  static int *last = &calls;
  ++*last;
  return calls;
}
static long many(int a, long b, char c, double d, float e, short f, unsigned g, long long h, int i,
                 double j, char k, long l) {
  long ints = a + b * 2 + c * 3 + f * 5 + (long)g * 7 + h * 11 + i * 13 + k * 17 + l * 19;
  return ints + (long)(d * 100 + e * 10 + j);
}
static int even(int n);
static int odd(int n) {
  if (n == 0) return 0;
  return even(n - 1);
}
static int even(int n) {
  if (n == 0) return 1;
  return odd(n - 1);
}
static const char *ordinal(int n) {
  return n == 1 ? "first" : n == 2 ? "second" : n < 0 ? (n == -1 ? "last" : "before") : "other";
}
static int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  int inner = ackermann(m, n - 1);
  return ackermann(m - 1, inner);
}
static void hanoi(int n, int from, int to, int by) {
  if (n == 0) return;
  hanoi(n - 1, from, by, to);
  add((uint64_t)(n * 100 + from * 10 + to));
  hanoi(n - 1, by, to, from);
}
static int queens(int row, unsigned columns, unsigned left, unsigned right) {
  if (row == 5) return 1;
  int found = 0;
  for (unsigned free = 31 & ~(columns | left | right); free; free &= free - 1) {
    unsigned bit = free & -free;
    found += queens(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return found;
}
static int nothing(int n) {
  int r = n;
  for (int i = 0; i < 0; ++i) r = 7;
  while (r < n) ++r;
  if (0) r = 1;
  for (;;) {
    if (r > 20) break;
    r += 9;
  }
  return r;
}
static volatile int hidden;
static int reads(void) {
  int a = hidden;
  hidden = a + 1;
  int b = hidden;
  return a * 10 + b;
}

int main(void) {
  for (int i = -2; i < 3; ++i) {
    add((uint64_t)promote((signed char)(i * 60), (unsigned char)(i * 100), (short)(i * 30000)));
    add(shifts(0x80000001u + (unsigned)i, i + 2));
    int n = i;
    int r = order(&n);
    add((uint64_t)(r * 100 + n));
    add_bytes(ordinal(i), strlen(ordinal(i)));
    r = counted();
    add((uint64_t)r);
  }
  enum tiny t = MINUS;
  t = (enum tiny)(t + 2);
  add((uint64_t)t + sizeof t);
  long m = many(1, -2, 'c', 1.5, 2.5f, -3, 4000000000u, -5, 6, -7.5, 'k', 8);
  add((uint64_t)m);
  long (*pointer)(int, long, char, double, float, short, unsigned, long long, int, double, char,
                  long) = many;
  m = pointer(opaque(1), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  add((uint64_t)m);
  add((uint64_t)(even(30) * 2 + odd(31)));
  add((uint64_t)ackermann(2, 3));
  hanoi(4, 1, 3, 2);
  int q = queens(0, 0, 0, 0);
  add((uint64_t)q);
  char text[32] = "overlapping moves";
  memmove(text + 3, text, 18);
  add_bytes(text, sizeof text);
  for (int i = 0; i < 3; ++i) add((uint64_t)(nothing(i * 10) + reads()));
  show("torture");
  return 0;
}
