// An OpenMP region is a function that Clang makes.
// RUN: %cilk_cxx_verify -fopenmp %s
#include <cilk/cilk.h>
int f(int);

void region(int n) {
#pragma omp parallel
  {
    cilk_spawn f(1);  // expected-error {{'cilk_spawn' inside an OpenMP region is not supported}} expected-note {{move the statements into a function of their own}}
    f(2);
  }
#pragma omp critical
  {
    cilk_spawn f(3);  // expected-error {{'cilk_spawn' inside an OpenMP region is not supported}} expected-note {{move}}
    f(4);
  }
#pragma omp parallel
  cilk_for (int i = 0; i < n; ++i)  // expected-error {{'cilk_for' inside an OpenMP region is not supported}} expected-note {{move}}
    f(i);
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    f(i);
  cilk_spawn f(5);
  f(6);
}
