// Reductions of types that the file names itself, beside a loop without one.
#include <stdio.h>

typedef unsigned int word;
enum flag { kNone, kSome = 2, kAll = 7 };

int main(void) {
  int a[100];
  word sum = 1;
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) a[i] = i * i;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += a[i];
  typedef long long wide;
  wide product = 1;
  enum flag seen = kNone;
#pragma omp parallel for reduction(* : product) reduction(| : seen)
  for (int i = 0; i < 20; ++i) {
    product *= 1 + i % 3;
    seen |= i % 4 == 1 ? kSome : kNone;
  }
  printf("%u %lld %d\n", sum, product, seen);
  return 0;
}
