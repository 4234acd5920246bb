// What a child writes is not there before a sync has waited for it. No warning where a use is not certain: those
// functions have no expectation.
// RUN: %cilk_cxx_verify -std=c++20 -Wno-pass-failed -Wno-empty-body %s
#include <cilk/cilk.h>
#include <string>
#include <vector>
#include <iostream>
int f(int); int *p(int); void g(int); void h(int&); void k(int*); bool c(int);
struct S { int a, b; int sum() const { return a + b; } };
S s(int); std::string str(int); std::vector<int> vec(int);
int r1() { int x = cilk_spawn f(1); return x; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r2() { int x = cilk_spawn f(1); int y = f(2); cilk_sync; return x + y; }
int r3() { int x = cilk_spawn f(1); int y = f(2) + x; cilk_sync; return x + y; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r4(bool b) { int x; x = cilk_spawn f(1); if (b) g(x); cilk_sync; return x; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r5(bool b) { int x = 0; if (b) x = cilk_spawn f(1); if (!b) g(x); cilk_sync; return x; }
int r6(bool b) { int x = 0; if (b) { x = cilk_spawn f(1); g(2); g(x); } cilk_sync; return x; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r7(bool b) { int x = cilk_spawn f(1); if (b) cilk_sync; if (b) g(x); cilk_sync; return x; }
int r8(int n) { int x = 0; for (int i = 0; i < n; ++i) { g(x); x = cilk_spawn f(i); } cilk_sync; return x; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r9(int n) { int x = 0; for (int i = 0; i < n; ++i) { x = cilk_spawn f(x); } cilk_sync; return x; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r10(int n) { int x = 0; for (int i = 0; i < n; ++i) { x = cilk_spawn f(i); g(1); cilk_sync; g(x); } return x; }
int r11(int n) { int x = 0; for (int i = 0; i < n; ++i) { g(x); if (i == n - 1) x = cilk_spawn f(i); } cilk_sync; return x; }
int r12() { S a = cilk_spawn s(1); int q = a.a; cilk_sync; return q; }  // expected-warning {{'a' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r13() { S a = cilk_spawn s(1); int q = a.sum(); cilk_sync; return q; }  // expected-warning {{'a' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r14() { S a; a.a = cilk_spawn f(1); a.b = f(2); cilk_sync; return a.sum(); }
int r15() { S a; a.a = cilk_spawn f(1); int q = a.sum(); cilk_sync; return q; }
int r16() { std::string a = cilk_spawn str(1); size_t n = a.size(); cilk_sync; return n; }  // expected-warning {{'a' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r17() { std::vector<int> a = cilk_spawn vec(1); size_t n = a.size(); cilk_sync; return n; }  // expected-warning {{'a' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
std::string r18() { std::string a = cilk_spawn str(1); g(1); return a; }
void r19(int *a, int n) { for (int i = 0; i < n; ++i) { a[i] = cilk_spawn f(i); g(a[i]); } cilk_sync; }  // expected-warning {{'a' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
void r20(int *a, int n) { for (int i = 1; i < n; ++i) { g(a[i-1]); a[i] = cilk_spawn f(i); } cilk_sync; }
void r21(int *a) { a[0] = cilk_spawn f(0); a[1] = f(1); cilk_sync; }
void r22(int *a) { a[0] = cilk_spawn f(0); g(a[0]); cilk_sync; }  // expected-warning {{'a' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
void r23() { int x = cilk_spawn f(0); h(x); k(&x); cilk_sync; }
void r25() { int x; cilk_spawn { x = f(1); } g(x); cilk_sync; g(x); }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
void r26() { int x; cilk_spawn x = f(f(1)); g(x); cilk_sync; g(x); }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
void r27() { int x; cilk_scope { x = cilk_spawn f(1); g(2); } g(x); }
void r28() { int x; for (;;) cilk_scope { g(x); x = cilk_spawn f(1); } }
void r29() { int x; cilk_scope { x = cilk_spawn f(1); g(x); } }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
void r30() { int x; try { x = cilk_spawn f(1); g(2); } catch (...) { g(x); } g(x); }
int r31() { int x = cilk_spawn f(1); auto l = [x] { return x; }; cilk_sync; return l(); }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r32() { int x = cilk_spawn f(1); auto l = [&x] { return x; }; cilk_sync; return l(); }
struct T { int m; void t() { m = cilk_spawn f(1); g(m); cilk_sync; } void u() { this->m = cilk_spawn f(1); g(2); cilk_sync; g(m); } };  // expected-warning {{'m' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
void r33() { volatile int x; x = cilk_spawn f(1); while (!x); cilk_sync; }
void r34() { int x = cilk_spawn f(1), y = x; cilk_sync; g(y); }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
void r35() { auto [x, y] = cilk_spawn s(1); g(x); cilk_sync; g(y); }
template<class U> U r36(U n) { U x = cilk_spawn f(n); U y = x; cilk_sync; return x + y; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r37() { return r36(1) + r36(2L); }
void r38(int n) { int x; for (int i = 0; i < n; i++) { x = cilk_spawn f(1); } cilk_sync; }
void r39() { int &x = *p(1); x = cilk_spawn f(1); g(x); cilk_sync; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r40() { int x = cilk_spawn f(1); (void)x; (void)sizeof(x); decltype(x) y = 2; cilk_sync; return y; }
int r41(int n) { int x, y; x = cilk_spawn f(n); y = cilk_spawn f(n); cilk_sync; return x + y; }
int r44(int n) { int x; do { x = cilk_spawn f(n); } while (x); return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r45(int n) { int x; x = cilk_spawn f(n); switch (n) { case 1: cilk_sync; break; default: cilk_sync; } return x; }
std::string r46() { std::string a = cilk_spawn str(1); std::cout << a; std::string b = a; cilk_sync; return a; }  // expected-warning {{'a' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
