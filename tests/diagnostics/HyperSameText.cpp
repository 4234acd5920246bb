// Callbacks that are written alike and are others: Clang 19 cannot keep them apart; newer ones can.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++17 -DCAST %s %if llvm-19 %{ -DOLD %}
#include <cilk/cilk.h>
namespace a {
void zero(void *);
void plus(void *, void *);
#ifdef OLD
// expected-error@+2 {{Clang 19 cannot tell these callbacks from others of the same type and text}}
#endif
long cilk_reducer(zero, plus) sum;
long cilk_reducer(zero, plus) again;
int cilk_reducer(zero, plus) other;
}
namespace b {
void zero(void *);
void plus(void *, void *);
long cilk_reducer(zero, plus) sum;
short cilk_reducer(zero, plus) other;
}
void one(void *);
void times(void *, void *);
long cilk_reducer(one, times) product;

// A declaration is asked itself; of an expression only the type is known.
long all() { return a::sum + a::again + a::other + b::sum + b::other + product; }
#ifdef CAST
long cast(void *p) { return *static_cast<long cilk_reducer(a::zero, a::plus) *>(p); }
namespace b {
long cast(void *p) { return *static_cast<long cilk_reducer(zero, plus) *>(p); }
}
#endif
#ifndef OLD
// expected-no-diagnostics
#endif
