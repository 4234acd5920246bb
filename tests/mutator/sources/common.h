/* What the programs share: a checksum, and values that the optimizer does not know. */
#ifndef NOPAL_TESTS_MUTATOR_COMMON_H
#define NOPAL_TESTS_MUTATOR_COMMON_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNUSED __attribute__((unused))

static uint64_t checksum = 14695981039346656037u;
UNUSED static void add(uint64_t n) { checksum = (checksum ^ n) * 1099511628211u; }
UNUSED static void add_bytes(const void *p, size_t n) {
  for (size_t i = 0; i < n; ++i) add(((const unsigned char *)p)[i]);
}
UNUSED static void add_double(double d) {
  uint64_t n;
  memcpy(&n, &d, sizeof n);
  add(n);
}
UNUSED static void expect(int right, const char *what) {
  if (!right) {
    printf("wrong: %s\n", what);
    exit(1);
  }
}
UNUSED static void show(const char *name) {
  printf("%s %016llx\n", name, (unsigned long long)checksum);
}

/* The same numbers each time. */
static uint64_t random_state = 88172645463325252u;
UNUSED static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}
UNUSED static int opaque(int n) {
  volatile int m = n;
  return m;
}
#endif
