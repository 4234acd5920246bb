// Results that are assigned to objects with less alignment than their type: members of packed
// classes and under #pragma pack, typedefs, parts of structured bindings, elements of arrays.

#include <cilk/cilk.h>

#include "../support/check.h"

namespace {

typedef int Vector __attribute__((vector_size(16)));

NOINLINE Vector vector(int n) { return Vector{n, n + 1, n + 2, n + 3}; }
NOINLINE __int128 wide(int n) { return static_cast<__int128>(n) << 70; }
NOINLINE int small(int n) { return n + 5; }
NOINLINE double real(int n) { return 3 * n; }
NOINLINE double _Complex complex(int n) { return n * 1.0i; }
NOINLINE long narrow(int n) { return 7 * n; }

struct [[gnu::packed]] Packed {
  char c;
  Vector v;
  __int128 w;
  struct Inner {
    long l;
    Vector v[2];
  } inner;
};

#pragma pack(push, 2)
struct Pragma {
  char c;
  Vector v;
  long l;
};
#pragma pack(pop)

struct Small {
  int x;
};
#pragma pack(push, 1)
struct Char {
  char c;
};
struct Bases : Char, Small {
  double _Complex z;
};
#pragma pack(pop)

struct Base {
  Vector v;
};
struct [[gnu::packed]] Derived : Base {
  char c;
  Vector own;
};

typedef Vector Unaligned __attribute__((aligned(1)));

struct Natural {
  Vector v;
  char c;
  long l;
};

unsigned long total = 1;

void add(const Vector &v) {
  for (int i = 0; i < 4; ++i) total = mix(total, static_cast<unsigned long>(v[i]));
}

struct [[gnu::packed]] Method {
  char c;
  Vector v;
  NOINLINE void fill(int n) {
    v = cilk_spawn vector(n);
    c = 1;
    cilk_sync;
  }
};

NOINLINE void members(Packed *p, Pragma *q, int n) {
  for (int i = 0; i < n; ++i) {
    p[i].v = cilk_spawn vector(i);
    p[i].w = cilk_spawn wide(i);
    p[i].inner.l = cilk_spawn narrow(i);
    p[i].inner.v[1] = cilk_spawn vector(i + 1);
    q[i].v = cilk_spawn vector(i + 2);
    q[i].l = cilk_spawn narrow(i + 2);
  }
  cilk_sync;
  for (int i = 0; i < n; ++i) {
    Vector copies[] = {p[i].v, p[i].inner.v[1], q[i].v};
    for (const Vector &copy : copies) add(copy);
    total = mix(total, static_cast<unsigned long>(p[i].w >> 70) + p[i].inner.l + q[i].l);
  }
}

NOINLINE void others(char *bytes, int n) {
  Packed local;
  auto &[c, v, w, inner] = local;
  c = 1;
  v = cilk_spawn vector(n);
  w = cilk_spawn wide(n);
  Derived derived;
  derived.own = cilk_spawn vector(n + 1);
  static_cast<Base &>(derived).v = cilk_spawn vector(n + 2);
  *reinterpret_cast<Unaligned *>(bytes + 1) = cilk_spawn vector(n + 3);
  Natural natural{};
  natural.v = cilk_spawn vector(n + 4);
  natural.l = cilk_spawn narrow(n);
  (n > 2 ? local.inner.v[0] : natural.v) = cilk_spawn vector(n + 5);
  Bases bases[2], *second = &bases[1];
  bases[0].x = cilk_spawn small(n);
  bases[1].x = cilk_spawn small(n + 1);
  __real__ second->z = cilk_spawn real(n);
  (second->c = 1, bases[0].z) = cilk_spawn complex(n);
  cilk_sync;
  total = mix(total, bases[0].x + 10ul * bases[1].x + (unsigned long)__real__ second->z +
                         (unsigned long)__imag__ bases[0].z + second->c);
  Method method;
  method.fill(n);
  Vector copies[] = {local.v,   derived.own, derived.v, *reinterpret_cast<Unaligned *>(bytes + 1),
                     natural.v, method.v};
  for (const Vector &copy : copies) add(copy);
  if (n > 2) {
    Vector copy = local.inner.v[0];
    add(copy);
  }
  total = mix(total, static_cast<unsigned long>(local.w >> 70) + natural.l + c);
}

}  // namespace

int main() {
  Packed p[5];
  Pragma q[5];
  members(p, q, 5);
  alignas(16) char bytes[64];
  for (int n = 3; n < 6; ++n) others(bytes, n);
  printf("%lx\n", total);
}
