// In strict C a hyperobject is no extension, wherever it stands; the program's own attributes are one before C23.
// RUN: %cilk_c_verify -std=c11 -Wall -Wextra -pedantic %s
// RUN: %cilk_c_verify -std=c17 -Wall -Wextra -pedantic %s
// RUN: %cilk_c_verify=c23 -std=c23 -Wall -Wextra -pedantic %s
// c23-no-diagnostics
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);
#define SUM(name) long cilk_reducer(zero, plus) name

typedef SUM(sum_t);
SUM(global) = 0;
[[deprecated]] extern int before; // expected-warning {{[[]] attributes are a C23 extension}}
struct counters {
  int other;
  sum_t hits[3];
  long cilk_reducer(zero, plus) misses;
} counters;
long cilk_reducer(zero, plus) *pointer(void);
void add(SUM(*sum), sum_t sums[], sum_t by_value);
SUM(one); [[deprecated]] extern int after; // expected-warning {{[[]] attributes are a C23 extension}}
