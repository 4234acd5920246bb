/* Big numbers: multiplication, division by a small one, factorials, Fibonacci, square root by
 * Newton, decimal output. */
#include "common.h"

enum { LIMBS = 12 };
typedef struct big {
  uint32_t limb[LIMBS];
} big;

static big from(uint64_t n) {
  big r = {{(uint32_t)n, (uint32_t)(n >> 32)}};
  return r;
}
static big plus(big a, big b) {
  big r;
  uint64_t carry = 0;
  for (int i = 0; i < LIMBS; ++i) {
    carry += (uint64_t)a.limb[i] + b.limb[i];
    r.limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return r;
}
static big times(const big *a, const big *b) {
  big r = from(0);
  for (int i = 0; i < LIMBS; ++i) {
    if (!a->limb[i]) continue;
    uint64_t carry = 0;
    for (int j = 0; i + j < LIMBS; ++j) {
      carry += (uint64_t)a->limb[i] * b->limb[j] + r.limb[i + j];
      r.limb[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  return r;
}
static uint32_t divide(big *a, uint32_t by) {
  uint64_t rest = 0;
  for (int i = LIMBS - 1; i >= 0; --i) {
    rest = rest << 32 | a->limb[i];
    a->limb[i] = (uint32_t)(rest / by);
    rest %= by;
  }
  return (uint32_t)rest;
}
static int is_zero(const big *a) {
  for (int i = 0; i < LIMBS; ++i)
    if (a->limb[i]) return 0;
  return 1;
}
static void decimal(big a, char *out) {
  char digits[160];
  int n = 0;
  do digits[n++] = (char)('0' + divide(&a, 10));
  while (!is_zero(&a));
  while (n) *out++ = digits[--n];
  *out = 0;
}
static big factorial(uint32_t n) {
  if (n < 2) return from(1);
  big below = factorial(n - 1);
  big factor = from(n);
  return times(&below, &factor);
}
static big power(big base, int exponent) {
  big r = from(1);
  for (; exponent; exponent >>= 1) {
    if (exponent & 1) r = times(&r, &base);
    if (exponent > 1) base = times(&base, &base);
  }
  return r;
}
static uint64_t root(uint64_t n) {
  uint64_t x = n, y = (x + 1) / 2;
  while (y < x) {
    x = y;
    y = (x + n / x) / 2;
  }
  return x;
}

int main(void) {
  char text[200];
  big f = factorial(25);
  decimal(f, text);
  puts(text);
  big a = from(0), b = from(1);
  for (int i = 0; i < 60; ++i) {
    big c = plus(a, b);
    a = b;
    b = c;
  }
  decimal(a, text);
  puts(text);
  big p = power(from(7), 45);
  uint32_t rest = divide(&p, 1000);
  decimal(p, text);
  printf("%s %u\n", text, rest);
  for (uint64_t n = 1; n < 1000000000000u; n = n * 37 + 5) add(root(n));
  show("bignum");
  return 0;
}
