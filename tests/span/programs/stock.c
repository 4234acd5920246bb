/* The interfaces to work and span in C, in any build: all zero in a stock one. */
#include <cilk/cilk.h>
#include <cilk/cilkscale.h>
#include <cilk/measure.h>
#include <stdio.h>

static void work(void) { nopal_span_count(5); }

/* Its name is that of a mangled type, too. */
static void f(void) {
  cilk_spawn work();
  work();
}

int main(void) {
  nopal_span_begin("all");
  const wsp_t start = wsp_getworkspan();
  f();
  const wsp_t spent = wsp_add(wsp_zero(), wsp_sub(wsp_getworkspan(), start));
  nopal_span_end();
  printf("%ld %ld %d\n", (long)spent.work, (long)spent.span, spent.bspan >= spent.span);
  wsp_dump(spent, "part");
  return 0;
}
