// All spawns of a function stand after a return that is always taken, so Clang emits only syncs,
// one of them in an unreachable block. At -O0 the splitter erased that block while it visited the
// syncs, and left one of them: an undefined reference.

#include <cilk/cilk.h>

#include "../support/check.h"

namespace {

struct Object {
  NOINLINE explicit Object(long n) : value(n) {}
  NOINLINE ~Object() { value = 0; }
  Object(const Object &) = delete;
  long value;
};

NOINLINE Object made(long n) { return Object(n); }
NOINLINE long twice(long n) {
  linger();
  return 2 * n;
}

NOINLINE Object first(long n) noexcept {
  if (15 % 3 == 0) return made(n);
  long v = cilk_spawn twice(n);  // matrix: never (the return above is always taken)
  twice(n);
  cilk_sync;
  return made(v);
}

NOINLINE Object second(long n) {
  long v = cilk_spawn twice(n);
  twice(n);
  cilk_sync;
  return made(v);
}

}  // namespace

int main() {
  CHECK(first(3).value == 3);
  CHECK(second(3).value == 6);
}
