/* Bit-fields, unions, packed and volatile members. */
#include "common.h"

struct Flags {
  unsigned a : 3;
  int b : 7;
  unsigned long long c : 45;
  unsigned : 0;
  volatile unsigned d : 9;
};
struct __attribute__((packed)) Packed {
  char tag;
  int number;
  short tail;
  unsigned long long wide : 61;
};
union Word {
  uint64_t whole;
  struct {
    uint16_t low, mid;
    uint32_t high;
  } parts;
  double real;
  unsigned char bytes[8];
};

static struct Flags make(unsigned seed) {
  struct Flags f = {0};
  f.a = seed & 7;
  f.b = (int)(seed % 61) - 30;
  f.c = (uint64_t)seed * 0x123456789u & 0x1fffffffffffu;
  f.d = seed % 500;
  return f;
}
static uint64_t fold(struct Flags f) { return f.a + (uint64_t)(f.b + 64) * 8 + f.c * 1024 + f.d; }

static struct Flags step(struct Flags f) {
  f.a++;
  f.b = -f.b;
  f.c ^= f.c >> 3;
  if (f.a & 1)
    f.d += 3;
  else
    f.d -= 5;
  return f;
}

static struct Packed pack(int n) {
  struct Packed p;
  p.tag = (char)n;
  p.number = n * 77777;
  p.tail = (short)(n * 3);
  p.wide = (uint64_t)n << 40 | 5;
  return p;
}

static uint64_t swap_bytes(uint64_t n) {
  union Word w;
  w.whole = n;
  for (int i = 0; i < 4; ++i) {
    unsigned char t = w.bytes[i];
    w.bytes[i] = w.bytes[7 - i];
    w.bytes[7 - i] = t;
  }
  return w.whole;
}

int main(void) {
  struct Flags f = make(1);
  for (unsigned i = 0; i < 20; ++i) {
    struct Flags g = make(i * 37);
    f = step(f);
    g = step(step(g));
    add(fold(f));
    add(fold(g));
    f.a ^= g.a;
    f.b = g.b / 2;
  }
  for (int i = -4; i < 5; ++i) {
    struct Packed p = pack(i), *q = &p;
    q->tag++;
    q->number -= q->tail;
    add((uint64_t)(q->number + q->tag) + q->wide);
    struct Packed other = *q;
    other.wide = (uint64_t)q->wide >> 3;
    add(other.wide);
  }
  union Word w;
  w.real = 1.5;
  add(w.whole);
  w.parts.low = 7;
  w.parts.high ^= 0x80000000u;
  add(swap_bytes(w.whole));
  expect(swap_bytes(swap_bytes(w.whole)) == w.whole, "swapped twice");
  show("bit_fields");
  return 0;
}
