/* Structures of many sizes and classes, passed and returned by value; flexible arrays; nested
 * function pointers. */
#include "common.h"

#define SIZE(N)                                                           \
  struct s##N {                                                           \
    unsigned char b[N];                                                   \
  };                                                                      \
  static struct s##N make##N(int seed) {                                  \
    struct s##N s;                                                        \
    for (int i = 0; i < N; ++i) s.b[i] = (unsigned char)(seed + i * 3);   \
    return s;                                                             \
  } static uint64_t use##N(struct s##N a, int n, struct s##N b) {         \
    uint64_t sum = (uint64_t)n;                                           \
    for (int i = 0; i < N; ++i) sum = sum * 31 + a.b[i] - b.b[N - 1 - i]; \
    return sum;                                                           \
  }
SIZE(1)
SIZE(2)
SIZE(3)
// clang-format off
SIZE(5) SIZE(8) SIZE(9) SIZE(12) SIZE(16) SIZE(17) SIZE(24) SIZE(33) SIZE(64)
    // clang-format on

    struct mixed {
  float f;
  int n;
  double d;
};
struct floats {
  float a, b, c, d;
};
struct nested {
  struct mixed m;
  struct {
    char c;
    struct floats f;
  } inner[2];
};
static struct mixed turn(struct mixed m) {
  struct mixed r = {(float)m.d, (int)m.f, m.n};
  return r;
}
static struct floats shift(struct floats f, float by) {
  f.a += by;
  f.d -= by;
  return (struct floats){f.b, f.c, f.d, f.a};
}
static struct nested build(int depth) {
  struct nested n = {{1.5f, depth, 2.25}, {{'a', {1, 2, 3, 4}}, {'b', {5, 6, 7, 8}}}};
  if (depth > 0) {
    struct nested below = build(depth - 1);
    n.m = turn(below.m);
    n.inner[depth & 1].f = shift(below.inner[0].f, (float)depth);
    n.inner[0].c = (char)(below.inner[1].c + 1);
  }
  return n;
}
struct vector {
  int count;
  int items[];
};
typedef struct mixed (*turner)(struct mixed);
static turner choose(int n) { return n ? turn : NULL; }

int main(void) {
#define USE(N)                             \
  {                                        \
    struct s##N x = make##N(N);            \
    struct s##N y = make##N(7);            \
    add(use##N(x, N, y));                  \
    x = y;                                 \
    add(use##N(x, opaque(1), make##N(2))); \
  }
  USE(1)
  USE(2)
  USE(3)
  // clang-format off
  USE(5) USE(8) USE(9) USE(12) USE(16) USE(17) USE(24) USE(33) USE(64)
      // clang-format on
      uint64_t (*pointer)(struct s24, int, struct s24) = use24;
  uint64_t r = pointer(make24(3), 1, make24(4));
  add(r);
  struct nested n = build(5);
  add_double(n.m.d);
  add_double(n.inner[0].f.a + n.inner[1].f.d);
  add((uint64_t)n.inner[0].c);
  struct vector *v = malloc(sizeof *v + 10 * sizeof(int));
  v->count = 10;
  for (int i = 0; i < v->count; ++i) v->items[i] = i * i;
  for (int i = 0; i < v->count; ++i) add((uint64_t)v->items[i]);
  free(v);
  struct mixed m = choose(1)((struct mixed){3, 4, 5});
  m = turn(m);
  add_double(m.d + m.f + m.n);
  show("structs");
  return 0;
}
