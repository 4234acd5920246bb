/* Checks for the test programs, in C and C++.
 *
 * A failed check prints where and what, and ends the process at once with status 1, from whatever
 * worker it fails on. What a program prints to stdout must not depend on the schedule: the matrix
 * compares it with what its serial elision prints.
 */
#ifndef NOPAL_PROGRAMS_CHECK_H
#define NOPAL_PROGRAMS_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* For callees that the optimizer must not see through. */
#define NOINLINE __attribute__((noinline))

#define CHECK(condition) ((condition) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))

/* Two integers are equal; prints both if not. */
#define CHECK_EQ(actual, expected) \
  check_equal((long long)(actual), (long long)(expected), #actual, #expected, __FILE__, __LINE__)

__attribute__((noreturn, cold, unused)) static void check_failed(const char *condition,
                                                                 const char *file, int line) {
  fflush(stdout);
  fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
  _exit(1);
}

__attribute__((unused)) static inline void check_equal(long long actual, long long expected,
                                                       const char *actual_text,
                                                       const char *expected_text, const char *file,
                                                       int line) {
  if (actual == expected) return;
  fflush(stdout);
  fprintf(stderr, "%s:%d: check failed: %s == %s: %lld is not %lld\n", file, line, actual_text,
          expected_text, actual, expected);
  _exit(1);
}

/* Takes some time, so that a thief has a chance to run the continuation meanwhile. */
__attribute__((unused)) static void linger(void) {
  struct timespec pause = {0, 50 * 1000};
  nanosleep(&pause, NULL);
}

/* The number in argv[1], or `otherwise`. */
__attribute__((unused)) static long size_argument(int argc, char **argv, long otherwise) {
  return argc > 1 ? strtol(argv[1], NULL, 10) : otherwise;
}

/* The next number of a small generator (splitmix64): the same inputs on every machine. */
__attribute__((unused)) static inline unsigned long next_random(unsigned long *state) {
  unsigned long z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Folds `value` into a checksum that depends on the order (FNV-1a on 64 bits). */
__attribute__((unused)) static inline unsigned long mix(unsigned long checksum,
                                                        unsigned long value) {
  return (checksum ^ value) * 0x100000001b3u;
}

#endif
