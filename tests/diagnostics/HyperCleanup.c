// A cleanup function runs while its variable lives.
// RUN: %cilk_c_verify %s
#include <cilk/cilk.h>
void zero(void *view);
void add(void *left, void *right);
typedef long cilk_reducer(zero, add) Sum;
struct Count {
  Sum sum;
};
void report(Sum *sum);
void end(struct Count *count);

void f(void) {
  __attribute__((cleanup(report))) Sum sum = 3; // expected-error {{'cilk_reducer' of 'sum', which has a cleanup function}} expected-note {{call the function at the end of the block}}
  sum += 1;
  __attribute__((cleanup(end))) struct Count count = {0}; // expected-error {{'cilk_reducer' of 'count', which has a cleanup function}} expected-note {{call the function}}
}
