/* _Atomic and volatile objects of several sizes, compound assignments, compare-and-exchange loops.
 */
#include <stdatomic.h>
#include "common.h"

static _Atomic int counter;
static atomic_ullong wide;
static volatile int observed[4];
static _Atomic(int *) place;
struct pair {
  int a, b;
};
static _Atomic struct pair both;

static int fetch_max(_Atomic int *p, int n) {
  int old = atomic_load(p);
  while (old < n && !atomic_compare_exchange_weak(p, &old, n)) {
  }
  return old;
}
static void twice(volatile int *p) {
  *p += 2;
  (*p)--;
  *p = *p * 2;
}
static struct pair swap(struct pair p) {
  struct pair r = {p.b, p.a + 1};
  return r;
}

int main(void) {
  _Atomic int local = 3;
  for (int i = 0; i < 15; ++i) {
    counter += i;
    local ^= counter;
    wide |= 1ull << i * 3;
    add((uint64_t)fetch_max(&local, i * 5));
    twice(&observed[i & 3]);
    atomic_fetch_sub_explicit(&counter, 2, memory_order_relaxed);
    struct pair p = atomic_load(&both);
    p = swap(p);
    atomic_store(&both, p);
  }
  int a[3] = {1, 2, 3};
  place = a;
  place++;
  *place += 5;
  add((uint64_t)a[1]);
  add(wide);
  add((uint64_t)(counter + local));
  for (int i = 0; i < 4; ++i) add((uint64_t)observed[i]);
  struct pair p = both;
  add((uint64_t)(p.a * 100 + p.b));
  atomic_flag flag = ATOMIC_FLAG_INIT;
  expect(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag), "flag");
  show("atomics");
  return 0;
}
