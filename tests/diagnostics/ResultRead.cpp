// The result of a child is not ready before a sync has waited for it. No warning where a use is not certain: those
// functions have no expectation.
// RUN: %cilk_cxx_verify -std=c++20 -Wno-pass-failed -Wno-empty-body %s
#include <cilk/cilk.h>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
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
void r35() { auto [x, y] = cilk_spawn s(1); g(x); cilk_sync; g(y); }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
template<class U> U r36(U n) { U x = cilk_spawn f(n); U y = x; cilk_sync; return x + y; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r37() { return r36(1) + r36(2L); }
void r38(int n) { int x; for (int i = 0; i < n; i++) { x = cilk_spawn f(1); } cilk_sync; }
void r39() { int &x = *p(1); x = cilk_spawn f(1); g(x); cilk_sync; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r40() { int x = cilk_spawn f(1); (void)x; (void)sizeof(x); decltype(x) y = 2; cilk_sync; return y; }
int r41(int n) { int x, y; x = cilk_spawn f(n); y = cilk_spawn f(n); cilk_sync; return x + y; }
int r44(int n) { int x; do { x = cilk_spawn f(n); } while (x); return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int r45(int n) { int x; x = cilk_spawn f(n); switch (n) { case 1: cilk_sync; break; default: cilk_sync; } return x; }
std::string r46() { std::string a = cilk_spawn str(1); std::cout << a; std::string b = a; cilk_sync; return a; }  // expected-warning {{'a' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
// Objects: members, operators, functions whose text is known, copies, and what refers to them.
struct D { int a, b; int sum() const; void set(int); static int st(); int operator[](int) const; D &operator+=(int); bool operator==(const D &) const; virtual int v() const; const int *where() const { return &a; } };
D d(int); void by_value(D); void by_reference(const D &); void by_reference(D &, int); void by_address(const D *); bool operator<(const D &, const D &);
inline int peek(const D &x) { return x.a; }
inline int peek_maybe(const D &x, bool b) { if (b) return x.a; return 1; }
inline int peek_after(const D &x, bool b) { if (b) return 1; return x.a; }
inline const int &part(const D &x) { return x.a; }
struct E { int none() const; }; E e(int);
std::pair<int, long> pr(int); std::unique_ptr<int> up(int); std::array<int, 3> ar(int); std::map<int, int> mp(int);
int o1(bool b) { D x = cilk_spawn d(1); x.sum(); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o2(bool b) { D x = cilk_spawn d(1); by_value(x); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o3(bool b) { D x = cilk_spawn d(1); peek(x); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o4(bool b) { D x = cilk_spawn d(1); x[1]; cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o5(bool b) { D x = cilk_spawn d(1); x += 1; cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o6(bool b) { D x = cilk_spawn d(1), y; b = x == y; cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o7(bool b) { D x = cilk_spawn d(1), y; b = y < x; cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o8(bool b) { D x = cilk_spawn d(1), y; y = x; cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o9(bool b) { D x = cilk_spawn d(1); x.v(); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o10(bool b) { D x = cilk_spawn d(1); D y = std::move(x); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o11(bool b) { D x; x = cilk_spawn d(1); g(x.a); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o12(bool b) { D x; x = cilk_spawn d(1); peek(x); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o13(bool b) { D x; x = cilk_spawn d(1); g(part(x)); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o14(bool b) { D x = cilk_spawn d(1); D &y = x; g(y.a); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o15(bool b) { const D &x = cilk_spawn d(1); g(x.a); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o16(bool b) { const D &x = cilk_spawn d(1); x.sum(); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o17(bool b) { const int &x = cilk_spawn f(1); g(x); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o18(bool b) { auto &&x = cilk_spawn str(1); x.clear(); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o19(bool b) { std::string x = cilk_spawn str(1); b = x == "a"; cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o20(bool b) { std::string x = cilk_spawn str(1); std::string y = x + "b"; cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o21(bool b) { std::string x = cilk_spawn str(1); std::cout << x; cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o22(bool b) { std::vector<int> x = cilk_spawn vec(1); for (int v : x) g(v); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o23(bool b) { std::vector<int> x; x = cilk_spawn vec(1); x.push_back(1); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o24(bool b) { auto x = cilk_spawn mp(1); g(x.at(1)); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o25(bool b) { auto x = cilk_spawn up(1); g(*x); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o26(bool b) { auto [x, y] = cilk_spawn pr(1); g(x); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o27(bool b) { auto &&[y, x] = cilk_spawn pr(1); g(x); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o28(bool b) { auto [x, y] = cilk_spawn pr(1); h(x); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o29(bool b) { const auto &[x, y] = cilk_spawn s(1); g(x); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o30(bool b) { D x = cilk_spawn d(1); cilk_spawn x.sum(); cilk_sync; return 0; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
int o31(bool b) { D x = cilk_spawn d(1); by_reference(x); by_reference(x, 1); by_address(&x); x.st(); cilk_sync; return 0; }
int o32(bool b) { D x = cilk_spawn d(1); const D &y = x; const D *z = &y; (void)x; (void)z; cilk_sync; return 0; }
int o33(bool b) { D x = cilk_spawn d(1); peek_maybe(x, b); peek_after(x, b); cilk_sync; return 0; }
int o34(bool b) { D x; x = cilk_spawn d(1); x.sum(); x.set(1); x.v(); cilk_sync; return 0; }
int o35(bool b) { D x = cilk_spawn d(1); part(x); x.where(); cilk_sync; return 0; }
int o36(bool b) { E x = cilk_spawn e(1); x.none(); E y = x; cilk_sync; return 0; }
int o37(bool b) { D x = cilk_spawn d(1); cilk_spawn by_reference(x); cilk_spawn by_address(&x); cilk_sync; return 0; }
int o38(bool b) { auto x = cilk_spawn ar(1); int *p = x.data(); int &q = x[1]; (void)p; (void)q; cilk_sync; return 0; }
int o39(bool b) { const D &x = cilk_spawn d(1); const D &y = x; by_reference(y); by_address(&x); cilk_sync; return 0; }
int o40(bool b) { D x = cilk_spawn d(1); auto l = [&] { return x.sum(); }; (void)l; cilk_sync; return 0; }
int o41(bool b) { for (int i = 0; i < 3; ++i) { auto [x, y] = cilk_spawn pr(i); g(i); cilk_sync; g(x); } cilk_sync; return 0; }
int o42(bool b) { for (int i = 0; i < 3; ++i) { const D &x = cilk_spawn d(i); g(i); cilk_sync; x.sum(); } cilk_sync; return 0; }
int o43(bool b) { const D &x = cilk_spawn d(1); if (b) cilk_sync; if (b) x.sum(); cilk_sync; return 0; }
int o44(bool b) { auto [x, y] = cilk_spawn pr(1); (void)x; (void)sizeof(y); decltype(x) z = 1; (void)z; (void)noexcept(x); cilk_sync; return 0; }
// The child takes its result apart.
struct Parts { int a; template <int I> int get() const { return a + I; } };
template <> struct std::tuple_size<Parts> { static constexpr std::size_t value = 2; };
template <std::size_t I> struct std::tuple_element<I, Parts> { using type = int; };
Parts parts(int);
int o100() { auto [x, y] = cilk_spawn parts(1); g(2); cilk_sync; return x + y; }
int o101() { auto [x, y] = cilk_spawn parts(1); g(x); cilk_sync; return x + y; }  // expected-warning {{'x' is read before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it is spawned here}}
// The parts of a complex number are two objects.
void o102() { _Complex float c; __real__ c = cilk_spawn f(1); __imag__ c = cilk_spawn f(2); cilk_sync; (void)c; }
void o103() { _Complex float c; __real__ c = cilk_spawn f(1); __real__ c = 2; cilk_sync; (void)c; }  // expected-warning {{'c' is written before a sync has waited for its 'cilk_spawn'}} expected-note {{the child that writes it, too, is spawned here}}
