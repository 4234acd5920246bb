// Deep recursion: through children, through continuations, through two functions in turn. Argument:
// the depth. A depth of 10,000 makes a deque that must grow, and frames near the end of a stack
// segment.
//
// matrix: args 10000
// matrix: chaos-args 2000
// matrix: sanitize-args 1000
// matrix: segments default (deep)

#include <cilk/cilk.h>

#include "../support/check.h"

namespace {

NOINLINE long leaf(long n) { return n & 7; }

long through_children(long n) {
  if (n == 0) return 0;
  long below = cilk_spawn through_children(n - 1);
  long here = leaf(n);
  cilk_sync;
  return below + here;
}

long through_continuations(long n) {
  if (n == 0) return 0;
  long here = cilk_spawn leaf(n);
  long below = through_continuations(n - 1);
  cilk_sync;
  return below + here;
}

long through_both(long n) {
  if (n < 2) return n;
  long a = cilk_spawn through_both(n - 2);
  long b = n % 512 == 0 ? through_both(n / 2) : leaf(n);
  cilk_sync;
  return a + b;
}

long pong(long n);
long ping(long n) {
  if (n == 0) return 1;
  long below = cilk_spawn pong(n - 1);
  cilk_sync;
  return below + 1;
}
long pong(long n) {
  if (n == 0) return 2;
  long below;
  cilk_spawn [&below, n] { below = ping(n - 1); }();
  long here = leaf(n);
  cilk_sync;
  return below + here;
}

}  // namespace

int main(int argc, char **argv) {
  const long depth = size_argument(argc, argv, 10000);
  for (int i = 0; i < 3; ++i) {
    printf("children: %ld\n", through_children(depth));
    printf("continuations: %ld\n", through_continuations(depth / 4));
    printf("both: %ld\n", through_both(depth));
    printf("in turn: %ld\n", ping(depth / 2));
  }
  return 0;
}
