// Exercises: reduction with +, *, max, min, &, |, ^, && and || on int and long.
#include <stdio.h>

#define N 500

int main(void) {
  int a[N];
  for (int i = 0; i < N; i++) a[i] = (i * 7919 + 13) % 1009;

  long sum = 100, prod = 1;
  int hi = a[0], lo = a[0];
  int all_bits = ~0, any_bits = 0, parity = 0;
  int all_small = 1, has_seven = 0;

#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += a[i];
#pragma omp parallel for reduction(* : prod)
  for (int i = 1; i <= 15; i++) prod *= i;
#pragma omp parallel for reduction(max : hi)
  for (int i = 0; i < N; i++) {
    if (a[i] > hi) hi = a[i];
  }
#pragma omp parallel for reduction(min : lo)
  for (int i = 0; i < N; i++) lo = a[i] < lo ? a[i] : lo;
#pragma omp parallel for reduction(& : all_bits)
  for (int i = 0; i < N; i++) all_bits &= a[i] | 0x50;
#pragma omp parallel for reduction(| : any_bits)
  for (int i = 0; i < N; i++) any_bits |= a[i] & 0x2a;
#pragma omp parallel for reduction(^ : parity)
  for (int i = 0; i < N; i++) parity ^= a[i];
#pragma omp parallel for reduction(&& : all_small)
  for (int i = 0; i < N; i++) all_small = all_small && a[i] < 1007;
#pragma omp parallel for reduction(|| : has_seven)
  for (int i = 0; i < N; i++) has_seven = has_seven || a[i] % 500 == 7;

  printf("sum %ld prod %ld max %d min %d\n", sum, prod, hi, lo);
  printf("and %#x or %#x xor %#x\n", all_bits, any_bits, parity);
  printf("all_small %d has_seven %d\n", all_small, has_seven);
  return 0;
}
