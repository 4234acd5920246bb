// Early paths are looked for through a few blocks only: the ways through these switches are so many that the compiler would not come back for minutes.
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s
#include <cilk/cilk.h>

#define TWO(n, even, odd) case n: even; case (n) + 1: odd;
#define EIGHT(n, even, odd) TWO(n, even, odd) TWO((n) + 2, even, odd) TWO((n) + 5, even, odd) TWO((n) + 8, even, odd)
#define MANY(even, odd) EIGHT(0, even, odd) EIGHT(100, even, odd) EIGHT(211, even, odd) EIGHT(309, even, odd) EIGHT(417, even, odd) EIGHT(533, even, odd) EIGHT(641, even, odd) EIGHT(757, even, odd) \
  EIGHT(1000, even, odd) EIGHT(1100, even, odd) EIGHT(1211, even, odd) EIGHT(1309, even, odd) EIGHT(1417, even, odd) EIGHT(1533, even, odd) EIGHT(1641, even, odd) EIGHT(1757, even, odd)

// CHECK: define{{.*}} i64 @f(
// CHECK: @f.slow
long f(long n, long k, const long *o) {
  switch (k) { MANY(goto b, goto a) }
  goto late;
a:
  switch (o[3]) { MANY(goto d, goto c) }
  goto late;
b:
  switch (o[4]) { MANY(goto d, goto c) }
  goto late;
c:
  switch (o[5]) { MANY(goto g, goto e) }
  goto late;
d:
  switch (o[6]) { MANY(goto g, goto e) }
  goto late;
e:
  switch (o[7]) { MANY(return n, return k) }
  goto late;
g:
  switch (o[8]) { MANY(return n + 1, return k + 1) }
late:;
  long x = cilk_spawn f(n - 1, k, o);
  long y = f(n - 2, k, o);
  cilk_sync;
  return x + y * 3;
}
