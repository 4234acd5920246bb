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
}
