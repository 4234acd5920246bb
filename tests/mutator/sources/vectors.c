/* Vector extensions: arithmetic, shuffles, comparisons, conversions, by value and through memory.
 */
#include "common.h"

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d4 __attribute__((vector_size(32)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef long l2 __attribute__((vector_size(16)));
struct holds {
  char c;
  v4 v;
};

static v4 mul(v4 a, v4 b) { return a * b + 1; }
static f4 lerp(f4 a, f4 b, float t) {
  f4 d = b - a;
  return a + d * t;
}
static v4 larger(v4 a, v4 b) {
  v4 mask = a > b;
  return (a & mask) | (b & ~mask);
}
static b16 reversed(b16 v) {
  return __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}
static d4 widened(f4 f) { return __builtin_convertvector(f, d4); }
static struct holds hold(int n) {
  struct holds h = {(char)n, {n, n + 1, n + 2, n + 3}};
  return h;
}
static int total(v4 v) {
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += v[i];
  return sum;
}
static l2 recursive(l2 a, int depth) {
  if (!depth) return a;
  l2 b = recursive(a + depth, depth - 1);
  b[depth & 1] ^= 0x55;
  return b;
}

int main(void) {
  v4 a = {1, -2, 3, -4}, b = {5, 6, -7, 8};
  v4 c = mul(a, b);
  c = larger(c, a);
  add((uint64_t)total(c));
  f4 f = {1, 2, 3, 4}, g = {4, 3, 2, 1};
  for (int i = 0; i < 5; ++i) {
    f = lerp(f, g, 0.25f);
    d4 d = widened(f);
    add_double(d[0] + d[1] * 2 + d[2] * 3 + d[3] * 4);
  }
  b16 bytes;
  for (int i = 0; i < 16; ++i) bytes[i] = (unsigned char)(i * 17);
  bytes = reversed(bytes);
  add_bytes(&bytes, sizeof bytes);
  struct holds h = hold(9);
  h.v += hold(opaque(3)).v;
  add((uint64_t)(total(h.v) + h.c));
  l2 l = recursive((l2){1, 2}, 6);
  add((uint64_t)(l[0] * 3 + l[1]));
  show("vectors");
  return 0;
}
