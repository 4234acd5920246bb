// A view of a hyperobject that was found before a cilk_for, and that its iterations change.
// RUN: %cilk_cxx_verify -std=c++20 %s
// RUN: %cilk_cxx_verify -std=c++17 %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);
void empty(void *);
void join(void *, void *);

struct List {
  void add(int);
  int length() const;
  int first;
};
typedef long cilk_reducer(zero, plus) Sum;
typedef List cilk_reducer(empty, join) Numbers;
void append(List &, int);
int read(const List &);
int read(int);

void references(int n) {
  Sum sum = 0;
  Numbers numbers;
  long &total = sum;  // expected-note {{the view is found here; name the hyperobject in the body, where each strand finds its own}}
  auto &list = numbers, &other = numbers, &third = numbers;  // expected-note 3 {{the view is found here}}
  cilk_for (int i = 0; i < n; ++i) {
    total += i;        // expected-warning {{'total' has the view of one strand, and parts of this 'cilk_for' may change it at the same time}}
    list.add(i);       // expected-warning {{'list' has the view of one strand}}
    append(other, i);  // expected-warning {{'other' has the view of one strand}}
    third.first = i;   // expected-warning {{'third' has the view of one strand}}
  }
  Sum several[2] = {0, 0};
  for (auto &each : several)  // expected-note {{the view is found here}}
    cilk_for (int i = 0; i < n; ++i) each += i;  // expected-warning {{'each' has the view of one strand}}
}

void lambdas(int n) {
  Sum sum = 0;
  Numbers numbers;
  auto add = [&total = sum](int i) { total += i; };       // expected-note {{the view is found here}}
  auto more = [&list = numbers](int i) { list.add(i); };  // expected-note {{the view is found here}}
  auto other = [&sum](int i) { sum += i; };
  auto value = [total = long(sum)](int i) mutable { total += i; };
  auto reader = [&list = numbers] { return list.length(); };
  cilk_for (int i = 0; i < n; ++i) {
    add(i);   // expected-warning {{'add' has the view of one strand}}
    more(i);  // expected-warning {{'more' has the view of one strand}}
    other(reader());
    auto here = [&total = sum](int i) { total += i; };
    here(i);
    auto copy = value;
    copy(i);
  }
}

void children(int n) {
  Sum sum = 0;
  long &total = sum;  // expected-note 2 {{the view is found here}}
  for (int i = 0; i < n; ++i) cilk_spawn [&](int k) { total += k; }(i);  // expected-warning {{'total' has the view of one strand, and parts of this 'cilk_spawn' may change it at the same time}}
  cilk_sync;
  for (int i = 0; i < n; ++i) {
    cilk_spawn { total += n; }  // expected-warning {{'total' has the view of one strand}}
  }
}

void pointers(int n, long *other) {
  Sum sum = 0;
  long *total = &sum;    // expected-note {{the view is found here}}
  long *changed = &sum;
  if (n > 5) changed = other;
  cilk_for (int i = 0; i < n; ++i) {
    *total += i;    // expected-warning {{'total' has the view of one strand}}
    *changed += i;  // expected-warning {{'changed' is written}} expected-note {{make it a}}
  }
}

// A hyperobject in a function hides no other mistake from the compiler.
int beside(int n) {
  Sum sum = 0;
  int count = 0;  // expected-note {{make it a 'cilk::reducer<int, std::plus<>>'}}
  for (int i = 0; i < n; ++i) cilk_spawn [&, i] { sum += i; ++count; }();  // expected-warning {{'count' is written}}
  cilk_sync;
  int result = cilk_spawn read(n);  // expected-note {{the child that writes it is spawned here}}
  sum += result;  // expected-warning {{'result' is read before a sync}}
  return count;
}

// Each strand finds its own view, or nobody changes one.
void silent(int n, int *out) {
  Sum sum = 0;
  Numbers numbers;
  const auto &constant = numbers;
  auto &list = numbers;
  cilk_for (int i = 0; i < n; ++i) {
    auto &own = numbers;
    own.add(i);
    long &total = sum;
    total += i;
    out[i] = list.length() + list.first + read(list) + constant.length();
  }
  list.add(n);
  Sum parts[2] = {0, 0};
  struct Both { Sum one = 0, *two; } both;
  both.two = __builtin_addressof(sum);
  Numbers *pointer = __builtin_addressof(numbers);
  for (int i = 0; i < n; ++i) {
    cilk_spawn [&](int k) {
      sum += k;
      numbers.add(k);
      numbers.first = k;
      pointer->first = k;
      ++parts[1];
      both.one -= k;
      *both.two += k;
    }(i);
    cilk_spawn {
      sum += n;
      pointer->first = n;
    }
  }
  cilk_sync;
}
