// The warnings that follow the control flow, in C: structures, (void), jumps, and a statement that is not reached.
// RUN: %cilk_c_verify -std=c17 -Wno-pass-failed %s
#include <cilk/cilk.h>
struct pair {
  int first, second;
};
struct pair pair(int);
int f(int);
void g(int), h(int *);

int structures(void) {
  struct pair p = cilk_spawn pair(1);  // expected-note {{spawned here}}
  struct pair q = p;  // expected-warning {{'p' is read before a sync has waited for its 'cilk_spawn'}}
  cilk_sync;
  return q.first;
}
int members(struct pair *p) {
  p->first = cilk_spawn f(1);  // expected-note {{spawned here}}
  p->second = f(2);
  f(p->second);
  int sum = p->first + p->second;  // expected-warning {{'first' is read before a sync}}
  cilk_sync;
  return sum;
}
int other_object(struct pair *p) {
  p->first = cilk_spawn f(1);
  p = p + 1;
  int first = p->first;
  cilk_sync;
  return first;
}
int discarded(void) {
  int x = cilk_spawn f(1);
  (void)x;
  g(2);
  cilk_sync;
  return x;
}
int jumps(int n) {
  int x = cilk_spawn f(1);
  if (n)
    goto out;
  cilk_sync;
  return x;
out:
  cilk_sync;
  return x;
}
int unreachable(void) {
  int x = cilk_spawn f(1);
  if (0)
    g(x);
  g(2);
  cilk_sync;
  return x;
}
int again(int n) {
  int x = 0;
again:
  g(x);  // expected-warning {{'x' is read before a sync}}
  x = cilk_spawn f(n);  // expected-note {{spawned here}}
  if (--n)
    goto again;
  cilk_sync;
  return x;
}
void atomics(void) {
  _Atomic int x = 0;
  x = cilk_spawn f(1);
  while (!x)
    ;
  cilk_sync;
}
void inner(int n) {
  for (int i = 0; i < n; ++i) {
    struct pair p = {i, i};  // expected-note {{'p' is declared here; declare it outside of the block, or put 'cilk_sync' at the end of the block}}
    cilk_spawn h(&p.first);  // expected-warning {{'cilk_spawn' of a child that uses 'p', whose block ends before a sync}}
  }
}
// The sync may be the last thing in a block, before a jump or another branch.
void last(int n) {
  switch (n) {
  case 0: {
    int x = 1;
    cilk_spawn h(&x);
    g(n ? 1 : 2);
    cilk_sync;
  } break;
  case 1:
    while (n--) {
      {
        int x = 1;
        cilk_spawn h(&x);
        g(n ? 1 : 2);
        cilk_sync;
      }
      if (n == 3)
        break;
    }
  }
}
int shared;
void of_the_program(void) {
  cilk_spawn { shared = f(1); }  // expected-note {{spawned here}}
  g(shared);  // expected-warning {{'shared' is read before a sync}}
  cilk_sync;
}
