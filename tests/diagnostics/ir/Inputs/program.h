#include <cilk/cilk.h>
int f(int);
inline int in_header(int n) {
  int x = cilk_spawn f(n);
  f(2);
  cilk_sync;
  return x;
}
template <class T> T instance(T n) {
  T x = cilk_spawn f(n);
  f(2);
  cilk_sync;
  return x;
}
struct Object {
  int member(int n) {
    int x = 0;
    cilk_spawn { x = f(n); }
    f(1);
    cilk_sync;
    return x;
  }
};
