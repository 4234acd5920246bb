// A scalar that iterations of one cilk_for, or children of one spawn, write in parallel.
// RUN: %cilk_cxx_verify -std=c++20 %s
// RUN: %cilk_cxx -std=c++20 -fsyntax-only -fdiagnostics-parseable-fixits -DSUM %s 2>&1 | FileCheck-22 %s
#include <cilk/cilk.h>

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

int global;
thread_local int mine;
int f(int);
void in_order(int);

#ifdef SUM
// No change is offered where a reference is written.
long sum(const int *a, int n) {
  // CHECK: fix-it:"{{.*}}":{[[# @LINE + 1]]:3-[[# @LINE + 1]]:17}:"cilk::reducer<long, std::plus<>> total(0)"
  long total = 0;
  // CHECK: fix-it:"{{.*}}":{[[# @LINE + 1]]:36-[[# @LINE + 1]]:36}:"*"
  cilk_for (int i = 0; i < n; ++i) total += a[i];
  // CHECK: fix-it:"{{.*}}":{[[# @LINE + 1]]:10-[[# @LINE + 1]]:10}:"*"
  return total;
}
long by_reference(const int *a, int n) {
  long total = 0;
  long &sum = total;
  cilk_for (int i = 0; i < n; ++i) sum += a[i];
  return total;
}
// CHECK-NOT: fix-it
#else
struct S {
  long sum;
  void all(const int *a, int n) {
    // expected-warning@+2 {{'sum' is written by parts of this 'cilk_for' that may run at the same time}}
    // expected-note@+1 {{make it a 'cilk::reducer<long, std::plus<>>'}}
    cilk_for (int i = 0; i < n; ++i) sum += a[i];
  }
};

// Each child has an object of its own.
struct Copied {
  long sum;
  void all(int n) {
    for (int i = 0; i < n; ++i) cilk_spawn [*this]() mutable { ++sum; }();
    cilk_sync;
  }
};

unsigned operations(const unsigned *a, int n) {
  // expected-note@+2 {{make it a 'cilk::reducer<unsigned int, std::bit_or<>>' of <cilk/reducer.h>, and write '*bits'}}
  // expected-note@+1 {{make it a 'cilk::reducer<unsigned int, std::multiplies<>>'}}
  unsigned bits = 0, product = 1;
  cilk_for (int i = 0; i < n; ++i) {
    bits |= a[i];                 // expected-warning {{'bits' is written}}
    product = a[i] * product;     // expected-warning {{'product' is written}}
  }
  return bits + product;
}

int unevaluated(int n) {
  int total = 0;
  // expected-warning@+1 2 {{no effect in an unevaluated context}}
  cilk_for (int i = 0; i < n; ++i) f(noexcept(++total) + int(sizeof(total += 1)) + i);
  return total;
}

int find(const int *a, int n, int what) {
  int found = -1;  // expected-note {{give each part a variable of its own}}
  cilk_for (int i = 0; i < n; ++i)
    if (a[i] == what) found = i;  // expected-warning {{'found' is written}}
  return found;
}

template <class T>
T generic(const T *a, int n) {
  T total{};  // expected-note {{make it a 'cilk::reducer<double, std::plus<>>'}}
  cilk_for (int i = 0; i < n; ++i) total += a[i];  // expected-warning {{'total' is written}}
  return total;
}
template double generic(const double *, int);

void children(const int *a, int n) {
  int count = 0;  // expected-note {{make it a 'cilk::reducer<int, std::plus<>>'}}
  for (int i = 0; i < n; ++i) {
    // expected-warning@+1 {{'count' is written by parts of this 'cilk_spawn' that may run at the same time}}
    cilk_spawn [&, i] { if (a[i] > 0) ++count; }();
  }
  cilk_sync;
  int again = 0;  // expected-note {{make it}}
  for (int i = 0; i < n; ++i) {
    cilk_spawn { again += n; }  // expected-warning {{'again' is written}}
  }
  cilk_sync;
}

// No part of these writes at the same time as another.
void silent(const int *a, int n, int *out) {
  std::atomic<int> atomic = 0;
  volatile int flag = 0;
  std::mutex mutex;
  int locked = 0, one = 0, alone = 0, last = 0;
  int parts[4] = {};
  cilk_for (int i = 0; i < n; ++i) {
    int own = 0;
    own += a[i];
    out[i] = own;
    parts[i % 4] = own;
    atomic += own;
    flag = 1;
    mine = i;
    if (i == 3) one = own;
    const std::lock_guard guard(mutex);
    locked += own;
  }
  cilk_for (int i = 0; i < n; ++i) {
    mutex.lock();
    ++locked;
    mutex.unlock();
    auto later = [&] { ++locked; };
    (void)later;
  }
  cilk_spawn [&] { alone = a[0]; }();
  for (int i = 0; i < n; ++i) cilk_spawn [i, &element = out[i]] { element = i; }();
  cilk_sync;
  for (int i = 0; i < n; ++i) {
    cilk_spawn { last = a[0]; }
    in_order(i);
    cilk_sync;
  }
  for (int i = 0; i < n; ++i) {
    int fresh = 0;
    cilk_scope { cilk_spawn { fresh += n; } in_order(i); }
  }
}
#endif

// The parts of a structured binding that functions give are declared with it.
void bindings(std::map<int, long> &m, std::pair<int, long> *pairs, int n) {
  cilk_for (int i = 0; i < n; ++i) {
    auto &[key, value] = pairs[i];
    value = key;
    auto [copy, other] = pairs[i];
    copy += 3;
  }
  for (auto &[key, value] : m) {
    cilk_spawn {
      auto [copy, other] = pairs[key];
      ++copy;
    }
  }
}
