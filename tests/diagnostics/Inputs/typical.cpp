// Code as people write it, in C and C++, with a warning of Clang in most functions (../warnings.test).
#include <cilk/cilk.h>
int f(int);
int unused_result(int) __attribute__((warn_unused_result));
extern int sink[100];
int loops(int n, unsigned m);
int branches(int n, int c);
int cases(int n);
int ways(int n);
int values(int n, long wide);
void stops(void);
void scopes(int n);

int loops(int n, unsigned m) {
  int never_read = 3, x;
  cilk_for (int i = 0; i < n; ++i)
    sink[i] = i;
  cilk_for (unsigned i = 0; i < n; i++) {
    int n = 3;
    int unused = 4;
    sink[i] = n + m;
  }
#pragma cilk grainsize 8
  cilk_for (int i = 0; i < n; ++i) {
    int m = i;
    sink[m] = 1;
  }
  cilk_for (int i = 0; i < n; ++i)
    sink[i] = f(i);
  cilk_for (int i = 0; i < n; ++i)
    f(i);
    f(n);
#pragma cilk grainsize m
  cilk_for (int i = 0; i < n; ++i)
    f(i);
    f(n);
  return x;
}

int branches(int n, int c) {
  if (n)
    if (c)
      cilk_for (int i = 0; i < n; ++i)
        f(i);
    else
      f(2);
  if (n)
    cilk_for (int i = 0; i < n; ++i)
      if (i)
        f(i);
  else
    f(3);
  if (n)
#pragma cilk grainsize 4
    cilk_for (int i = 0; i < n; ++i)
      if (i)
        f(i);
  else
    f(3);
  if (n)
    cilk_spawn f(1);
  else
    cilk_sync;
  if (n)
    cilk_sync;
    f(2);
  return n;
}

int cases(int n) {
  switch (n) {
  case 1:
    cilk_for (int i = 0; i < n; ++i)
      f(i);
  case 2:
#pragma cilk grainsize 2
    cilk_for (int i = 0; i < n; ++i)
      f(i);
  case 3:
    cilk_spawn f(3);
  case 4:
    cilk_sync;
  case 5:
    cilk_scope { cilk_spawn f(5); f(6); }
  case 6:
    break;
  }
  return n;
}

int ways(int n) {
  if (n > 3) {
    return 1;
    cilk_spawn f(4);
  }
  if (n > 2) {
    stops();
    return 2;
    cilk_for (int i = 0; i < n; ++i)
      f(i);
  }
  while (1) {
#pragma cilk grainsize 4
    cilk_for (int i = 0; i < n; ++i)
      f(i);
    cilk_sync;
    if (n)
      break;
  }
  return 0;
  cilk_sync;
}

int values(int n, long wide) {
  int x = cilk_spawn f(wide), y;
  char c;
  y = f(n), f(2);
  c = cilk_spawn f(n);
  cilk_spawn unused_result(3);
  cilk_sync;
  return x + y + c;
}

void stops(void) {
  int unset;
#pragma cilk grainsize sink[2]
  cilk_for (int i = 0; i < 9; ++i)
    sink[i] = unset;
  for (;;) {
    cilk_scope {
      cilk_spawn f(1);
      f(2);
    }
  }
}

void scopes(int n) {
  cilk_scope {
    int n = 3;
    cilk_spawn f(n);
    f(n);
  };
  cilk_spawn { int n = 2; f(n); };
  f(n);
}
