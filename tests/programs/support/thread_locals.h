/* Thread-locals and errno around everything after which the thread may be another: spawns, syncs,
 * and calls of functions that spawn.
 *
 * The body of language/thread_locals*.c, which are compiled for one model of thread-local storage
 * each. Every address is compared with that of a function which is not inlined and has not seen
 * another thread.
 */
#ifndef NOPAL_PROGRAMS_THREAD_LOCALS_H
#define NOPAL_PROGRAMS_THREAD_LOCALS_H

#include <cilk/cilk.h>

#include <errno.h>

#include "check.h"

static _Thread_local long counter;
_Thread_local long global_counter;
static _Thread_local long array[100];

NOINLINE static long *counter_here(void) { return &counter; }
NOINLINE static long *global_here(void) { return &global_counter; }
NOINLINE static long *array_here(void) { return array; }
NOINLINE static int *errno_here(void) { return &errno; }

/* To be inlined into functions that spawn. */
static inline long *inlined_address(void) { return &counter; }
static inline long increment(void) { return ++global_counter; }
static inline void set_errno(int value) { errno = value; }

static void check_here(void) {
  CHECK(&counter == counter_here());
  CHECK(&global_counter == global_here());
  CHECK(array == array_here());
  CHECK(&errno == errno_here());
}

NOINLINE static long give(long n) {
  linger();
  return n;
}
NOINLINE static void spoil_errno(void) { errno = 5; }

static long spawner(int n) {
  long sum = 0, children[16] = {0};
  for (int i = 0; i < n; i++) {
    set_errno(i);
    CHECK(*errno_here() == i);
    counter = i;
    CHECK(*counter_here() == i);
    children[i & 15] = cilk_spawn give(i);
    CHECK(inlined_address() == counter_here());
    CHECK(&errno == errno_here());
    set_errno(100 + i);
    CHECK(*errno_here() == 100 + i);
    global_counter = i;
    CHECK(increment() == i + 1);
    CHECK(*global_here() == i + 1);
    for (int j = 0; j < 100; j++) array[j] = j + i;
    CHECK(array_here()[7] == 7 + i);
    cilk_spawn spoil_errno();
    for (int j = i; j < 100; j += 7) { /* an address that a loop would hoist */
      array[j] = 1;
      sum += array[j];
      if (j % 3 == 0) cilk_spawn give(j);
      CHECK(&array[j] == array_here() + j);
    }
    if (i % 3 == 0) {
      cilk_sync;
      sum += children[i & 15];
    }
    check_here();
    switch (i & 3) {
      case 0:
        CHECK(&counter == counter_here()); /* fall through */
      case 1:
        cilk_sync;
        CHECK(&counter == counter_here()); /* fall through */
      case 2:
        cilk_spawn give(1);                  /* fall through */
      default:
        CHECK(&counter == counter_here());
    }
  }
  cilk_sync;
  check_here();
  return sum;
}

/* Functions whose calls may come back on another thread, and their callers. */
NOINLINE static void spawns(int n) {
  cilk_spawn give(n);
  give(n);
  cilk_sync;
}
NOINLINE static void leads_to_a_spawn(int n) {
  if (n >= 0) spawns(n);
  give(n);
}
static void (*volatile unknown)(int) = spawns;

static long calls_in_a_spawner(int n) {
  cilk_spawn give(n);
  for (int i = 0; i < n; i++) {
    check_here();
    counter = i;
    leads_to_a_spawn(i);
    check_here();
    counter += i;
    spawns(i);
    counter = i; /* an address that is computed after a call, and used after a spawn */
    cilk_spawn give(i);
    CHECK(&counter == counter_here());
    check_here();
  }
  cilk_sync;
  return n;
}

NOINLINE static long calls_without_a_spawn(int n) {
  long sum = 0;
  errno = n;
  for (int i = 0; i < n; i++) {
    check_here();
    long *const where = i % 2 ? &counter : &global_counter;
    *where = i;
    sum += *where;
    spawns(i);
    check_here();
    array[i] = i;
    CHECK(array_here()[i] == i);
    leads_to_a_spawn(i);
    array[i] = 2 * i;
    CHECK(array_here()[i] == 2 * i);
    unknown(i);
    set_errno(i);
    CHECK(*errno_here() == i);
  }
  check_here();
  return sum;
}

static long serial_functions_as_children(int n) {
  long results[8] = {0}, sum = 0;
  for (int i = 0; i < 8; i++) results[i] = cilk_spawn calls_without_a_spawn(n);
  sum = calls_without_a_spawn(n);
  cilk_sync;
  for (int i = 0; i < 8; i++) sum += results[i];
  return sum;
}

int main(void) {
  printf("spawner: %ld\n", spawner(12));
  printf("calls in a spawner: %ld\n", calls_in_a_spawner(10));
  printf("calls in functions that do not spawn: %ld\n", serial_functions_as_children(8));
  return 0;
}

#endif
