// A class brings its callbacks; nothing else does.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
#include <cilk/reducer>

int cilk_reducer one;     // expected-error {{'cilk_reducer' of 'int' without callbacks}} expected-note {{write 'cilk_reducer(identity, reduce)'; in C++ a class may derive from '__reducer_base' instead}}
int cilk_reducer() two;   // expected-error {{of 'int' without callbacks}} expected-note {{write}}
struct Other { int field; };
Other cilk_reducer three;  // expected-error {{of 'Other' without callbacks}} expected-note {{write}}
int get() { return three.field; }
