// A keyword in every odd place, beside errors of all kinds: every one is an error, and the compiler survives.
// RUN: not %cilk_cxx -std=c++20 -fsyntax-only -ferror-limit=0 %s 2>&1 | FileCheck %s
// CHECK-NOT: {{PLEASE submit|Stack dump}}
// CHECK: errors generated
#include <cilk/cilk.h>
int f(int); struct S { int m = cilk_spawn f(1); S() : n(cilk_spawn f(2)) {} int n; ~S(); int operator+(int); };
int g1 = cilk_spawn f(1); static int g2[] = {cilk_spawn f(1)}; thread_local int t = cilk_spawn f(3);
void a(int x = cilk_spawn f(1));
template<class T> T tt(T x) { T y = cilk_spawn f(x); undeclared(y); return y; }
void b() { undeclared1(cilk_spawn f(1)); int y = cilk_spawn undeclared2(3); y = cilk_spawn f("x"); cilk_spawn undeclared3; int z = y; tt(3); }
void c() { int x = cilk_spawn f(1); x.foo(); return x; cilk_spawn; cilk_sync }
void d() { static int s = cilk_spawn f(1); thread_local int u = cilk_spawn f(1); constexpr int k = cilk_spawn f(1); }
int e[cilk_spawn f(1)]; enum { E = cilk_spawn f(1) }; static_assert(cilk_spawn f(1)); int bf : cilk_spawn f(1);
auto l = [x = cilk_spawn f(1)] { return cilk_spawn f(2); };
void h() noexcept(noexcept(cilk_spawn f(1))); decltype(cilk_spawn f(1)) dd; alignas(cilk_spawn f(8)) int al;
void i() { while (cilk_spawn f(1)); do ; while (cilk_spawn f(1)); for (cilk_spawn f(1); cilk_spawn f(2); cilk_spawn f(3)); switch (cilk_spawn f(1)) { case cilk_spawn 3: ; } }
void j() { new int(cilk_spawn f(1)); delete cilk_spawn new int; throw cilk_spawn f(1); }
void k() { cilk_spawn throw 1; cilk_spawn return; cilk_spawn break; cilk_spawn goto x; x: cilk_spawn int q = 3; cilk_spawn using namespace std; cilk_spawn S s; cilk_spawn static_assert(true); }
void m() { cilk_sync cilk_spawn f(1); cilk_spawn cilk_spawn f(1); cilk_spawn cilk_sync; cilk_scope f(1); cilk_scope; cilk_scope { cilk_spawn { cilk_scope { cilk_spawn f(1); } } } }
void n() { if (cilk_sync; true) cilk_sync; else cilk_spawn f(1); for (auto x : {cilk_spawn f(1), 2}) cilk_spawn f(x); }
void o() { a(cilk_spawn f(1), cilk_sync); (cilk_spawn f(1), cilk_spawn f(2)); f(1) ? cilk_spawn f(1) : cilk_spawn f(2); f(1) && cilk_spawn f(2); }
template<int N> struct Q { static const int v = cilk_spawn f(N); void q() { int z = cilk_spawn f(N); z++; } }; template struct Q<1>;
void p() try { cilk_spawn f(1); } catch (int x) { cilk_spawn f(x); cilk_sync; }
