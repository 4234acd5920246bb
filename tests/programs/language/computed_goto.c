/* Computed goto in functions that spawn: tables of labels, tables of differences, labels in
 * variables, inside a spawned block. */

#include <cilk/cilk.h>

#include "../support/check.h"

NOINLINE static long give(long n) {
  linger();
  return n;
}

enum { HALT, PUSH, ADD, SPAWN, SYNC, LOOP, DUPLICATE };

/* An interpreter with threaded code, one of whose instructions spawns. */
static long interpret(const unsigned char *code, long rounds) {
  static const void *const table[] = {&&halt, &&push, &&add, &&spawn, &&sync, &&loop, &&duplicate};
  long stack[32], *top = stack, results[8] = {0};
  int spawned = 0;
  const unsigned char *next = code;
  goto *table[*next++];
push:
  *top++ = *next++;
  goto *table[*next++];
add:
  top--;
  top[-1] += top[0];
  goto *table[*next++];
spawn:
  results[spawned++ & 7] = cilk_spawn give(top[-1] * 3);
  goto *table[*next++];
sync:
  cilk_sync;
  for (int i = 0; i < 8; i++) top[-1] += results[i], results[i] = 0;
  goto *table[*next++];
duplicate:
  *top = top[-1];
  top++;
  goto *table[*next++];
loop:
  if (--rounds > 0) next = code;
  goto *table[*next++];
halt:
  cilk_sync;
  return top[-1] + (top - stack) * 1000000 + rounds;
}

static long differences(int n) {
  static const int table[] = {&&first - &&first, &&second - &&first, &&third - &&first};
  long sum = 0, child = 0;
  for (int i = 0; i < n; i++) {
    goto *(&&first + table[i % 3]);
  first:
    child = cilk_spawn give(i);
    sum += 1;
    continue;
  second:
    cilk_sync;
    sum += child;
    continue;
  third:
    sum *= 2;
  }
  cilk_sync;
  return sum + child;
}

/* The label in a variable crosses a spawn, and is compared with another. */
static long variable(long n) {
  void *where = &&first, *other = n > 3 ? &&second : &&third;
  long child = 0;
again:
  goto *where;
first:
  child = cilk_spawn give(n);
  where = other;
  CHECK(where != NULL);
  if (where == &&second) n++;
  goto again;
second:
  n += 10;
  where = &&third;
  goto again;
third:
  cilk_sync;
  return child + n;
}

/* All of it inside the child, which spawns too. */
static long in_a_block(const char *text) {
  long result = 0;
  cilk_spawn {
    static void *const table[] = {&&a, &&b, &&end};
    goto *table[*text - 'a'];
  a:
    result += 1;
    text++;
    goto *table[*text - 'a'];
  b:
    result *= 3;
    long child = cilk_spawn give(4);
    text++;
    cilk_sync;
    result += child;
    goto *table[*text - 'a'];
  end:;
  }
  long own = give(3);
  cilk_sync;
  return result + own;
}

int main(void) {
  const unsigned char code[] = {PUSH,      5,     SPAWN, PUSH, 7,    ADD, SPAWN,
                                DUPLICATE, SPAWN, ADD,   SYNC, LOOP, HALT};
  printf("interpreter: %ld %ld\n", interpret(code, 1), interpret(code, 9));
  printf("differences: %ld\n", differences(20));
  printf("variable: %ld %ld\n", variable(2), variable(5));
  printf("in a block: %ld\n", in_a_block("aabac"));
  return 0;
}
