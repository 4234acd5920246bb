// cilk_reducer comes from a header, too.
// RUN: %cilk_c_verify %s
void zero(void *view);
void add(void *left, void *right);
int g(void) {
  int cilk_reducer(zero, add) sum = 0;  // expected-error {{a parameter list without types is only allowed in a function definition}} expected-error {{expected ';' at end of declaration}} expected-error {{'cilk_reducer' is a keyword only after '#include <cilk/cilk.h>'}} expected-note {{include the header before the first keyword}}
  return 0;
}
