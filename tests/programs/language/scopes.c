/* Variable-length arrays and alloca in loops, with spawns in their scopes: each array keeps its
 * values while its scope lasts, and its memory is released when the scope ends, wherever the
 * continuation runs by then. The matrix compares the peak memory.
 *
 * matrix: args 15000
 * matrix: chaos-args 5000
 * matrix: sanitize-args 300
 */
#include <cilk/cilk.h>

#include <alloca.h>
#include <stdint.h>
#include <string.h>

#include "../support/check.h"

typedef struct {
  long first;
  char rest[1016];
} Block;

typedef struct {
  _Alignas(256) char bytes[256];
} Aligned;

static NOINLINE void child(long i) { __asm__ volatile("" : : "r"(i)); }
static NOINLINE void fill(long *a, long n, long seed) {
  for (long i = 0; i < n; ++i) a[i] = seed + i;
}
static NOINLINE void check_filled(const long *a, long n, long seed) {
  for (long i = 0; i < n; ++i) CHECK_EQ(a[i], seed + i);
}
static NOINLINE void add_to(long *a, long by) { a[0] += by; }

/* The scope ends with a child outstanding, which does not use the array. */
static NOINLINE long in_a_loop(long rounds, long n) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    long a[n];
    fill(a, n, i);
    cilk_spawn child(i);
    check_filled(a, n, i);
    sum += a[n - 1];
  }
  cilk_sync;
  return sum;
}

/* The scope begins in the fast clone and ends in the slow one; the fast clone goes on after the
 * sync. */
static NOINLINE long resumed_after_its_end(long rounds, long n) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    {
      long a[n];
      fill(a, n, i);
      cilk_spawn child(i);
      sum += a[n - 1];
    }
    cilk_sync;
  }
  return sum;
}

/* It ends in the fast clone, which was resumed in it; a child uses the array. */
static NOINLINE long resumed_inside(long rounds, long n) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    long a[n];
    fill(a, n, i);
    cilk_spawn add_to(a, 5);
    check_filled(a + 1, n - 1, i + 1);
    cilk_sync;
    a[0] -= 5;
    check_filled(a, n, i);
    sum += a[n - 1];
  }
  return sum;
}

/* It begins in a slow clone, if the first continuation is stolen. */
static NOINLINE long begun_by_a_thief(long rounds, long n) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    cilk_spawn child(i);
    long a[n];
    fill(a, n, i);
    cilk_sync;
    check_filled(a, n, i);
    sum += a[n - 1];
  }
  return sum;
}

/* Scopes in scopes, begun and ended in each clone. */
static NOINLINE long nested(long rounds, long n) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    long outer[n];
    fill(outer, n, i);
    cilk_spawn child(i);
    for (long j = 0; j < 3; ++j) {
      long middle[n + j];
      fill(middle, n + j, i + j);
      if (j != 1) cilk_spawn child(j);
      {
        long inner[1 + j];
        fill(inner, 1 + j, j);
        cilk_spawn child(j);
        if (j == 1) cilk_sync;
        check_filled(inner, 1 + j, j);
        sum += inner[j];
      }
      check_filled(middle, n + j, i + j);
    }
    if (i % 3 == 0) cilk_sync;
    check_filled(outer, n, i);
    sum += outer[n - 1];
  }
  cilk_sync;
  return sum;
}

/* All ways out of a scope, and a jump back before it. */
static NOINLINE long ways_out(long rounds, long n) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    long again = 0;
  back:;
    long a[n];
    fill(a, n, i);
    cilk_spawn child(i);
    if (again++ == 0 && i % 4 == 1) goto back;
    check_filled(a, n, i);
    if (i % 4 == 2) {
      cilk_sync;
      continue;
    }
    if (i % 4 == 3) {
      long b[n];
      fill(b, n, i);
      cilk_spawn child(i);
      if (i == rounds - 1) break;
      sum += b[0];
      goto next;
    }
    sum += a[0];
  next:;
  }
  cilk_sync;
  return sum;
}

/* Nothing ends these before the function: what the serial program's stack holds is what the frame
 * holds. */
static NOINLINE long without_a_scope(long rounds, size_t bytes) {
  char *last = NULL;
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    char *block = alloca(bytes);
    memset(block, (int)(i % 100), bytes);
    cilk_spawn child(i);
    if (last) CHECK_EQ(last[bytes - 1], (i - 1) % 100);
    last = block;
    sum += block[0];
    if (i % 5 == 4) cilk_sync;
  }
  cilk_sync;
  return sum;
}

/* A block around each takes alloca's memory no earlier, and a variable-length array takes it too.
 */
static NOINLINE long beside_an_array(long rounds, size_t bytes) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    char a[bytes];
    char *block = alloca(bytes);
    memset(a, 1, bytes);
    memset(block, 2, bytes);
    cilk_spawn child(i);
    sum += a[i % (long)bytes] + block[i % (long)bytes];
  }
  cilk_sync;
  return sum;
}

static NOINLINE long of_structs(long rounds, long n) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    Block blocks[n];
    for (long j = 0; j < n; ++j) blocks[j].first = i + j;
    cilk_spawn child(i);
    Aligned aligned[n];
    CHECK_EQ((uintptr_t)aligned % 256, 0);
    memset(aligned, 3, sizeof aligned);
    cilk_spawn child(i);
    long table[n][n + 1];
    table[n - 1][n] = i;
    if (i % 2) cilk_sync;
    sum += blocks[n - 1].first + aligned[n - 1].bytes[255] + table[n - 1][n];
  }
  cilk_sync;
  return sum;
}

__attribute__((no_sanitize("vla-bound"))) static NOINLINE long of_no_elements(long rounds,
                                                                              long none) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    long a[none];
    cilk_spawn child(i);
    {
      char b[none];
      sum += (long)(sizeof a + sizeof b);
      cilk_spawn child(i);
      __asm__ volatile("" : : "r"(a), "r"(b) : "memory");
    }
  }
  cilk_sync;
  return sum;
}

/* A cilk_for whose iterations spawn with an array, and one around them. */
static NOINLINE long in_cilk_for(long rounds, long n) {
  long outer[n];
  fill(outer, n, n);
  long *sums = calloc((size_t)rounds, sizeof *sums), sum = 0;
  cilk_for (long i = 0; i < rounds; ++i) {
    long a[n];
    fill(a, n, i);
    cilk_spawn child(i);
    {
      long b[n];
      fill(b, n, 2 * i);
      cilk_spawn child(i);
      check_filled(b, n, 2 * i);
    }
    if (i % 2) cilk_sync;
    check_filled(a, n, i);
    sums[i] = a[n - 1] + outer[n - 1];
  }
  for (long i = 0; i < rounds; ++i) sum += sums[i];
  free(sums);
  return sum;
}

/* Each iteration has a loop of its own. */
static NOINLINE long in_loops_of_cilk_for(long rounds, long n) {
  long sums[2] = {0, 0};
  cilk_for (int i = 0; i < 2; ++i) {
    for (long j = 0; j < rounds; ++j) {
      long a[n];
      fill(a, n, i + j);
      cilk_spawn child(j);
      sums[i] += a[n - 1];
    }
  }
  return sums[0] + sums[1];
}

int main(int argc, char **argv) {
  const long rounds = size_argument(argc, argv, 1000), n = 512; /* 4 KiB */
  printf("in_a_loop %ld\n", in_a_loop(rounds, n));
  printf("resumed_after_its_end %ld\n", resumed_after_its_end(rounds, n));
  printf("resumed_inside %ld\n", resumed_inside(rounds, n));
  printf("begun_by_a_thief %ld\n", begun_by_a_thief(rounds, n));
  printf("nested %ld\n", nested(rounds / 4, n));
  printf("ways_out %ld\n", ways_out(rounds, n));
  printf("without_a_scope %ld\n", without_a_scope(200, 512));
  printf("beside_an_array %ld\n", beside_an_array(rounds, 1200));
  printf("of_structs %ld\n", of_structs(rounds, 3));
  printf("of_no_elements %ld\n", of_no_elements(rounds, argc > 9));
  printf("in_cilk_for %ld\n", in_cilk_for(rounds, n));
  printf("in_loops_of_cilk_for %ld\n", in_loops_of_cilk_for(rounds, n));
  return 0;
}
