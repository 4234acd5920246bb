// Over-aligned objects and vectors as locals, arguments and results of spawns: the body of
// language/alignment.cpp and vectors_512.cpp.
#pragma once

#include <cilk/cilk.h>

#include <cstddef>

#include "check.h"

namespace {

struct alignas(64) Over {
  long a;
  char c[100];
};
struct alignas(128) Over2 {
  long a[40];
  Over2(long n) {
    for (auto &x : a) x = n;
    CHECK((std::size_t)this % 128 == 0);
  }
  Over2(const Over2 &o) {
    for (int i = 0; i < 40; i++) a[i] = o.a[i] + 1;
    CHECK((std::size_t)this % 128 == 0);
  }
  ~Over2() { CHECK((std::size_t)this % 128 == 0); }
};
NOINLINE Over make_over(long n) {
  linger();
  return {n, "x"};
}
NOINLINE Over2 make_over2(long n) {
  linger();
  return Over2(n);
}
NOINLINE long take_over(Over o, Over2 p) {
  linger();
  CHECK((std::size_t)&o % 64 == 0);
  CHECK((std::size_t)&p % 128 == 0);
  return o.a + p.a[3];
}
struct alignas(4096) Page {
  char c[4096];
};
typedef float f16 __attribute__((vector_size(64)));
typedef double d4 __attribute__((vector_size(32)));
typedef int i3 __attribute__((ext_vector_type(3)));
typedef bool b8 __attribute__((ext_vector_type(8)));
NOINLINE f16 vec(f16 v) {
  linger();
  return v + 1;
}
NOINLINE d4 vec(d4 v) {
  linger();
  return v + 1;
}
NOINLINE i3 vec(i3 v) {
  linger();
  return v + 1;
}
NOINLINE long touch(Page &p) {
  linger();
  CHECK((std::size_t)&p % 4096 == 0);
  p.c[9]++;
  return p.c[9];
}
long aligned(long n) {
  alignas(4096) Page page{};
  alignas(64) long line[8] = {1, 2, 3};
  f16 live = {1, 2, 3};
  d4 l4 = {4, 5, 6, (double)n};
  CHECK((std::size_t)&page % 4096 == 0);
  Over o = cilk_spawn make_over(n);
  Over2 p = cilk_spawn make_over2(n);
  f16 v = cilk_spawn vec(live);
  d4 w;
  w = cilk_spawn vec(l4);
  i3 x = cilk_spawn vec(i3{1, 2, 3});
  long t = cilk_spawn touch(page);
  live += 3;
  l4 *= 2;
  CHECK((std::size_t)&line % 64 == 0);
  cilk_sync;
  CHECK((std::size_t)&o % 64 == 0);
  CHECK((std::size_t)&p % 128 == 0);
  long u = cilk_spawn take_over(o, p);
  o.a = 99;
  Over arr[3];
  for (int i = 0; i < 3; i++) arr[i] = cilk_spawn make_over(i);
  cilk_sync;
  CHECK((std::size_t)&page % 4096 == 0);
  return o.a + p.a[9] + (long)v[1] + (long)w[3] + x[2] + t + u + line[2] + arr[2].a +
         (long)live[0] + (long)l4[3];
}

}  // namespace

int main() {
  for (long n = 0; n < 3; ++n) printf("aligned: %ld\n", aligned(n));
  return 0;
}
