// Objects and control flow: goto, break, continue and return out of nested blocks with destructors;
// statics; copy elision.
#include <initializer_list>
#include "common.h"

static int alive;
struct Guard {
  explicit Guard(int n) : n(n) { ++alive; }
  Guard(const Guard &other) : n(other.n + 1000) { ++alive; }
  Guard(Guard &&other) noexcept : n(other.n) {
    other.n = -1;
    ++alive;
  }
  Guard &operator=(Guard other) {
    int t = n;
    n = other.n;
    other.n = t;
    return *this;
  }
  ~Guard() {
    --alive;
    add(static_cast<uint64_t>(n) * 7 + static_cast<uint64_t>(alive));
  }
  int n;
};

static int jumps(int n) {
  int round = 0;
  Guard outer(n);
again:
  Guard first(round);
  for (int i = 0;; ++i) {
    Guard second(i);
    if (i == n) break;
    {
      Guard third(i * 2);
      if (i == 2) continue;
      if (i == 3 && round < 2) {
        ++round;
        goto again;
      }
      switch (i) {
        case 4: {
          Guard fourth(4);
          if (n == 7) goto out;
          break;
        }
        case 5:
          return i;
        default:;
      }
    }
  }
  add(99);
out:
  Guard last(5);
  return round;
}

static Guard elided(int n) {
  if (n % 2) return Guard(n);
  Guard named(n * 10);
  named.n++;
  return named;
}
static Guard either(bool which) {
  Guard a(1), b(2);
  if (which) return a;
  return b;
}
static const Guard &counted() {
  static Guard kept(3);
  static int calls = 0;
  kept.n += calls++;
  return kept;
}
static int total(std::initializer_list<Guard> list) {
  int sum = 0;
  for (const Guard &g : list) sum += g.n;
  return sum;
}
static int conditional(int n) {
  const Guard &bound = n > 2 ? elided(n) : Guard(n);
  if (Guard g = elided(n + 1); g.n > 3) {
    int r = g.n + bound.n;
    return r;
  } else if (bound.n == 0) {
    return -g.n;
  }
  while (Guard *p = n > 0 ? new Guard(n) : nullptr) {
    --n;
    delete p;
  }
  do {
    Guard inside(n);
    if (inside.n == 0) continue;
    n = 0;
  } while (n != 0);
  return bound.n;
}

int main() {
  for (int i = 0; i < 9; ++i) {
    int r = jumps(i);
    add(static_cast<uint64_t>(r));
    Guard g = elided(i);
    g = either(i % 2 == 0);
    g = elided(i + 1);
    r = conditional(i);
    add(static_cast<uint64_t>(r + g.n));
    r = total({Guard(i), elided(i), g});
    add(static_cast<uint64_t>(r));
  }
  add(static_cast<uint64_t>(counted().n + counted().n));
  expect(alive == 1, "only the static lives");
  show("scopes");
}
