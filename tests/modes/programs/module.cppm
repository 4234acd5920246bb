// A named module whose functions spawn: for builds.named_module.
module;
#include <cilk/cilk.h>

export module spawning;

export inline long inline_fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn inline_fib(n - 1);
  long y = inline_fib(n - 2);
  cilk_sync;
  return x + y;
}

export template <class T>
T template_fib(T n) {
  if (n < 2) return n;
  T x;
  cilk_spawn x = template_fib<T>(n - 1);
  T y = template_fib<T>(n - 2);
  cilk_sync;
  return x + y;
}

export template <class Body>
void each(long n, Body body) {
  cilk_for (long i = 0; i < n; ++i) body(i);
}

export template <class T>
struct Tree {
  T sum(T n) try {
    auto half = [this](T m) {
      T x = cilk_spawn sum(m / 2);
      T y = sum(m / 4);
      cilk_sync;
      return x + y;
    };
    return n < 2 ? n : half(n);
  } catch (int) {
    return 0;
  }
};

long out_of_line(long n) {
  if (n < 2) return n;
  long x = cilk_spawn out_of_line(n - 1);
  long y = out_of_line(n - 2);
  cilk_sync;
  return x + y;
}

// Instantiated in the module, and for others.
export long own_instance(long n) { return template_fib<long>(n) + out_of_line(n); }
