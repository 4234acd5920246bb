// The type of a view is complete.
// RUN: %cilk_c_verify -std=c11 %s
// RUN: %cilk_c_verify -std=c23 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);

struct Unknown;
void cilk_reducer(zero, plus) *nothing;  // expected-error {{'cilk_reducer' of 'void', which is not the type of an object}} expected-note {{their size must be known}}
struct Unknown *use(struct Unknown cilk_reducer(zero, plus) *p) {  // expected-error {{of 'struct Unknown', which is not the type of an object}} expected-note {{their size}}
  return &*p;
}
struct Unknown cilk_reducer(zero, plus) *only_a_pointer;

typedef void function(void);
function cilk_reducer(zero, plus) no_object;  // expected-error {{of 'function', which is not the type of an object}} expected-note {{their size}}
