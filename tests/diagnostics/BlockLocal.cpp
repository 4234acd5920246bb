// A child that knows a variable of a block may outlive the block. No warning where that is not certain:
// those functions have no expectation.
// RUN: %cilk_cxx_verify -std=c++20 -Wno-pass-failed %s
#include <cilk/cilk.h>
#include <string>
int f(int); void g(int); void h(int&); void hc(const std::string&); void k(int*); int kk(int*, int);
struct M { void m(); int v; };
void b1(int n) { for (int i = 0; i < n; ++i) { int x = i; cilk_spawn h(x); } cilk_sync; }  // expected-warning {{'cilk_spawn' of a child that uses 'x', whose block ends before a sync}} expected-note {{'x' is declared here}}
void b2(int n) { for (int i = 0; i < n; ++i) { int x[3]; cilk_spawn k(x); } cilk_sync; }  // expected-warning {{'cilk_spawn' of a child that uses 'x', whose block ends before a sync}} expected-note {{'x' is declared here}}
void b3(int n) { for (int i = 0; i < n; ++i) { int x[3]; cilk_spawn k(&x[1]); g(1); cilk_sync; } }
void b4(int n) { for (int i = 0; i < n; ++i) { cilk_spawn [&] { g(i); }(); } cilk_sync; }  // expected-warning {{'cilk_spawn' of a child that uses 'i', whose block ends before a sync}} expected-note {{'i' is declared here}}
void b5(int n) { for (int i = 0; i < n; ++i) { cilk_spawn [=] { g(i); }(); } cilk_sync; }
void b6(int n) { for (int i = 0; i < n; ++i) { cilk_spawn g(i); } cilk_sync; }
void b7(int n) { for (int i = 0; i < n; ++i) { cilk_spawn { g(i); } } cilk_sync; }  // expected-warning {{'cilk_spawn' of a child that uses 'i', whose block ends before a sync}} expected-note {{'i' is declared here}}
void b8(int n) { for (int i = 0; i < n; ++i) { int x = cilk_spawn f(i); } cilk_sync; }  // expected-warning {{'cilk_spawn' of a child that uses 'x', whose block ends before a sync}} expected-note {{'x' is declared here}}
void b9(int n) { if (int x = n) cilk_spawn h(x); g(2); cilk_sync; }  // expected-warning {{'cilk_spawn' of a child that uses 'x', whose block ends before a sync}} expected-note {{'x' is declared here}}
void b10(int n) { { int x = n; cilk_spawn h(x); cilk_sync; } g(1); }
void b11(int n) { cilk_scope { int x = n; cilk_spawn h(x); g(2); } }
void b12(int n) { try { int x = n; cilk_spawn h(x); g(2); } catch (...) {} }
void b13(int n) { while (n--) { M m; cilk_spawn m.m(); } cilk_sync; }  // expected-warning {{'cilk_spawn' of a child that uses 'm', whose block ends before a sync}} expected-note {{'m' is declared here}}
void b14(int n) { while (n--) { static int m; cilk_spawn h(m); int &r = m; cilk_spawn h(r); } cilk_sync; }
void b15(std::string *a) { for (int i = 0; i < 3; i++) { std::string s = a[i]; cilk_spawn hc(s); cilk_spawn hc(s + "x"); } cilk_sync; }  // expected-warning {{'cilk_spawn' of a child that uses 's', whose block ends before a sync}} expected-note {{'s' is declared here}}
void b16(int n) { int x; { cilk_spawn h(x); } cilk_sync; }
void b17(int n) { int x; if (n) { int y; x = cilk_spawn kk(&y, 2); g(y); } cilk_sync; }  // expected-warning {{'cilk_spawn' of a child that uses 'y', whose block ends before a sync}} expected-note {{'y' is declared here}}
void b18(int n) { for (int i = 0; i < n; ++i) { const int c = 3; cilk_spawn { g(c); } g(2); } cilk_sync; }
void b19(int n) { cilk_spawn { int x; cilk_spawn h(x); g(1); } g(2); cilk_sync; }
void b20(int (&a)[3]) { for (auto v : a) cilk_spawn h(v); cilk_sync; }  // expected-warning {{'cilk_spawn' of a child that uses 'v', whose block ends before a sync}} expected-note {{'v' is declared here}}
void b21(int (&a)[3]) { for (auto &v : a) cilk_spawn h(v); cilk_sync; }
void b22(int n) { if (n) { int x; cilk_spawn h(x); if (n > 2) cilk_sync; } cilk_sync; }
void b23(int n) { int a; for (int i = 0; i < n; ++i) { int x; a = cilk_spawn f(x); } cilk_sync; }
void b24(int n) { for (int i = 0; i < n; ++i) { cilk_spawn { int x = 0; h(x); [&]{ h(x); }(); } } cilk_sync; }
void b25(int n) { while (n--) { int x; cilk_spawn h(x); if (n > 2) throw 1; for (;;) g(1); } }  // expected-warning {{'cilk_spawn' of a child that uses 'x', whose block ends before a sync}} expected-note {{'x' is declared here}}
int b26(int n) { if (n > 1) { int x = cilk_spawn f(n-1); int y = f(n-2); cilk_sync; return x+y; } return n; }
// expected-warning@+2 {{'cilk_spawn' of a child that uses 'x', whose block ends before a sync}}
// expected-note@+1 {{'x' is declared here}}
void b27(int n) { while (n--) { int x = 0; cilk_spawn __atomic_fetch_add(&x, n, 0); } cilk_sync; }
