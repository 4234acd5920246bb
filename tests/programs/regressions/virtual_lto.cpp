// Whole-program devirtualization takes a call that passes a virtual function on for a call of it:
// the slow clone called the function in the place of the helper.
//
// matrix: flags -flto -fwhole-program-vtables -fvisibility=hidden

#include <cilk/cilk.h>

#include <cstdio>

#include "../support/check.h"

struct Base {
  virtual ~Base() = default;
  virtual long work(long n, double weight) const = 0;
};

struct Only final : Base {
  long scale = 3;
  long work(long n, double weight) const override;
};

Only only;
Base *volatile any = &only;

NOINLINE long Only::work(long n, double weight) const {
  if (n < 2) return n * scale + static_cast<long>(weight);
  const Base *base = any;
  const long a = cilk_spawn base->work(n - 1, weight + 0.5);
  const long b = cilk_spawn base->work(n - 2, weight);
  const long c = n * scale;
  cilk_sync;
  return a + b * 3 + c;
}

int main() {
  const Base *base = any;
  const long a = cilk_spawn base->work(12, 1);
  const long b = base->work(9, 2);
  cilk_sync;
  std::printf("%ld %ld\n", a, b);
  return 0;
}
