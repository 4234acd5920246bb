// A scalar that a child writes in its own text, and that the continuation or another child uses before a sync. The
// functions without an expectation are right, or not certain.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>

#include <atomic>
#include <coroutine>
#include <mutex>

int f(int); void g(long); void h(long &); bool c(int);

// expected-warning@+1 {{'total' is written before a sync has waited for its 'cilk_spawn'}} expected-note@+1 {{the child that writes it, too, is spawned here}}
long sum(long total) { cilk_spawn [&] { total += f(1); }(); total += f(2); cilk_sync; return total; }
long loops(const int *a, int n) {
  long total = 0;
  // expected-note@+1 {{the child that writes it, too, is spawned here}}
  cilk_spawn [&] { for (int i = 0; i < n / 2; ++i) total += a[i]; }();
  for (int i = n / 2; i < n; ++i) total += a[i];  // expected-warning {{'total' is written before a sync}}
  cilk_sync;
  return total;
}
// expected-warning@+1 {{'x' is read before a sync}} expected-note@+1 {{the child that writes it is spawned here}}
long read() { long x = 0; cilk_spawn [&x] { ++x; }(); g(x); cilk_sync; return x; }
// expected-warning@+1 {{'x' is written before a sync}} expected-note@+1 {{the child that writes it, too, is spawned here}}
long block() { long x = 0; cilk_spawn { ++x; } x = 2; cilk_sync; return x; }
long children() {
  long x = 0;
  cilk_spawn [&] { x += f(1); }();  // expected-note {{the child that writes it, too, is spawned here}}
  cilk_spawn [&] { x += f(2); }();  // expected-warning {{'x' is written before a sync}}
  cilk_sync;
  return x;
}
long reader() {
  long x = 0;
  cilk_spawn [&] { x = f(1); }();  // expected-note {{the child that writes it is spawned here}}
  [&] { g(x); }();  // expected-warning {{'x' is read before a sync}}
  cilk_sync;
  return x;
}
long result() {
  long x = 0, y;
  y = cilk_spawn [&] { x = f(1); return x; }();  // expected-note {{the child that writes it is spawned here}}
  g(x);  // expected-warning {{'x' is read before a sync}}
  cilk_sync;
  return y;
}
long under_condition(bool b) {
  long x = 0;
  cilk_spawn [&] { if (b) ++x; }();  // expected-note {{the child that writes it is spawned here}}
  g(x);  // expected-warning {{'x' is read before a sync}}
  cilk_sync;
  return x;
}
struct S {
  long sum;
  void member() {
    cilk_spawn [this] { ++sum; }();  // expected-note {{the child that writes it, too, is spawned here}}
    ++sum;  // expected-warning {{'sum' is written before a sync}}
    cilk_sync;
  }
  void copied() {
    cilk_spawn [*this]() mutable { ++sum; }();
    ++sum;
    cilk_sync;
  }
};
template <class T>
T generic(T x) {
  cilk_spawn [&] { x += 1; }();  // expected-note {{the child that writes it is spawned here}}
  T y = x;  // expected-warning {{'x' is read before a sync}}
  cilk_sync;
  return x + y;
}
template int generic(int);
// expected-warning@+1 {{'a' is read before a sync}} expected-note@+1 {{the child that writes it is spawned here}}
void element() { long a[2] = {cilk_spawn f(1), 2}; g(a[0]); cilk_sync; g(a[1]); }
struct Two { int a; int b[2]; };
// expected-warning@+1 {{'b' is read before a sync}} expected-note@+1 {{the child that writes it is spawned here}}
void part() { Two t = {f(1), {2, cilk_spawn f(3)}}; g(t.b[1]); cilk_sync; }

void silent(bool b, const int *a, int n) {
  long x = 0, y = 0, z = 0;
  std::mutex mutex;
  std::atomic<bool> ready = false;
  volatile long flag = 0;
  cilk_spawn [&] { if (b) ++x; }();  // one of the two
  if (!b) ++x;
  cilk_sync;
  cilk_spawn [&] { if (!b) return; ++x; }();
  if (!b) ++x;
  cilk_sync;
  cilk_spawn [&, y]() mutable { ++y; }();
  ++y;
  cilk_spawn [&] { std::lock_guard hold(mutex); ++z; }();
  { std::lock_guard hold(mutex); ++z; }
  cilk_sync;
  cilk_spawn [&] { z = 1; ready = true; }();
  while (!ready) ;
  g(z);
  cilk_sync;
  cilk_spawn [&] { flag = 1; }();
  flag = 2;
  cilk_sync;
  cilk_spawn [&] { ++x; }();
  auto later = [&] { ++x; };
  cilk_sync;
  later();
  cilk_spawn [&] { x = 1; }();
  if (b) cilk_sync;
  if (b) g(x);
  cilk_sync;
  cilk_scope { cilk_spawn [&] { ++x; }(); g(y); }
  g(x);
  for (int i = 0; i < n; ++i) {
    cilk_spawn [&] { x = a[i]; }();
    g(i);
    cilk_sync;
  }
  cilk_spawn [&] { ++x; }();
  (void)x;
  (void)sizeof(x);
  h(y);
  cilk_sync;
}
// A coroutine may begin later than it is called.
struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
long global;
void coroutine() {
  cilk_spawn [] { global = 1; }();
  Task later = []() -> Task { g(global); co_return; }();
  cilk_sync;
  later.handle.resume();
}
// What belongs to the child, what only one of the two comes to, and what parts agree on an order by.
struct Failure {};
[[noreturn]] void stop();
void owned(bool b, int n, std::mutex &mutex, std::atomic<bool> *ready) {
  long x = 0, y = 0;
  constexpr bool counts = false;
  cilk_spawn { while (n-- > 0) x += f(1); }
  g(y);
  cilk_sync;
  for (int i = 0; i < 3; ++i) cilk_spawn [](int low, int high) { for (; low < high; ++low) f(low); }(i, 3);
  cilk_sync;
  Two t = {};
  auto [a, c] = t;
  long &r = y;
  cilk_spawn [a, r]() mutable { ++a; r = 1; }();
  ++a;
  y = 2;
  cilk_sync;
  cilk_spawn [&] { if constexpr (counts) ++x; f(1); }();
  g(x);
  cilk_sync;
  cilk_spawn [&] { if (b) throw Failure(); ++x; }();
  if (b) x = -1;
  cilk_sync;
  cilk_spawn [&] { if (b) ++x; }();
  if (b) stop();
  g(x);
  cilk_sync;
  cilk_spawn [&] { x = 1; { std::lock_guard hold(mutex); b = true; } }();
  { std::lock_guard hold(mutex); n = b; }
  g(x);
  cilk_sync;
  cilk_spawn [&] { x = 1; ready->store(true); }();
  while (!ready->load()) ;
  g(x);
  cilk_sync;
}
void places(long *p) {
  *p = cilk_spawn f(1);
  p[1] = 2;
  cilk_sync;
  cilk_spawn { *p = 1; }
  p[1] = 2;
  cilk_sync;
}
void same_place(long *p) {
  *p = cilk_spawn f(1);  // expected-note {{the child that writes it is spawned here}}
  g(p[0]);  // expected-warning {{'p' is read before a sync}}
  cilk_sync;
}
// Other parts of the variable.
void parts() {
  long a[2] = {cilk_spawn f(1), 2};
  g(a[1]);
  Two t = {cilk_spawn f(1), {2, 3}};
  g(t.b[0]);
  cilk_spawn [&] { t.b[1] = 1; }();
  t.b[0] = 2;
  cilk_sync;
}
