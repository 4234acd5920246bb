// Spawns and syncs among all kinds of control flow: branches, loops, switches, early returns, gotos
// within the function, several spawns in a row, syncs in some paths only, values that change
// between spawns.

#include <cilk/cilk.h>

#include <vector>

#include "../support/check.h"

namespace {

NOINLINE long work(long n) {
  if (n % 16 == 0) linger();
  return n * 3 + 1;
}
NOINLINE void add(long &place, long n) { place += n; }
NOINLINE bool opaque(bool value) { return value; }

long branches(long n) {
  long a = 1, b = 2, c = 4;
  if (n & 1) a = cilk_spawn work(n);
  if (n & 2) {
    b = cilk_spawn work(n + 1);
  } else if (n & 4) {
    c = cilk_spawn work(n + 2);
    cilk_sync;
    b = cilk_spawn work(c);
  } else {
    cilk_sync;
  }
  c = n & 8 ? c : work(n);
  cilk_sync;
  return a + 10 * b + 100 * c;
}

long switches(long n) {
  long a = 0, b = 0;
  switch (n % 5) {
    case 0:
      a = cilk_spawn work(n);
      [[fallthrough]];
    case 1:
      b = cilk_spawn work(n + 1);
      break;
    case 2:
      cilk_spawn add(a, 5);
      cilk_sync;
      return a;
    case 3: {
      long inner = n;
      b = cilk_spawn work(inner);
      ++inner;
      a = inner;
      break;
    }
    default:
      return -n;
  }
  cilk_sync;
  return a * 1000 + b;
}

// Returns between spawns: each has its implicit sync, after the value is computed.
long early_returns(long n, long &side) {
  cilk_spawn add(side, 1);
  if (n == 0) return 10;
  long a = cilk_spawn work(n);
  if (n == 1) return work(5);
  cilk_sync;
  if (n == 2) return a;
  cilk_spawn add(side, 100);
  return a + 1;
}

long loops(long n) {
  long results[64] = {}, sum = 0;
  int next = 0;
  for (long i = 0; i < n; ++i) {
    if (i % 3 == 1) continue;
    results[next++] = cilk_spawn work(i);
    if (i % 7 == 6) cilk_sync;
    if (i == 40) break;
  }
  cilk_sync;
  while (next > 0) sum = (sum * 5 + results[--next]) % 1000000007;
  do {
    cilk_spawn add(sum, 7);
    cilk_sync;
  } while (++next < 5);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) results[i * 4 + j] = cilk_spawn work(i * j + n);
    cilk_sync;
    for (int j = 0; j < 4; ++j) sum += results[i * 4 + j] * (j + 1);
  }
  return sum;
}

long gotos(long n) {
  long results[10], i = 0;
again:
  results[i] = cilk_spawn work(n + i);
  if (++i < 10) goto again;
  cilk_sync;
  long sum = 0;
  for (long result : results) sum = sum * 2 + result;
  if (sum % 2 == 0) goto done;
  cilk_spawn add(sum, 1);
  cilk_sync;
done:
  return sum;
}

// Values live across spawns in every way: unchanged, changed by the continuation, selected by a
// branch, carried round a loop.
long carried(long n) {
  long kept = n * 7, changed = 1, previous = 0, before_previous = 1;
  double real = 0.5;
  const char *text = "abcdefgh";
  long sink[50] = {};
  for (long i = 0; i < 50; ++i) {
    sink[i] = cilk_spawn work(changed + text[i % 8]);
    changed = opaque(i & 1) ? changed + 3 : changed * 2 % 1000;
    const long next = previous + before_previous;
    before_previous = previous;
    previous = next % 100003;
    real = real * 1.5 - static_cast<double>(i % 3);
    if (real > 1e6) real = 0.25;
  }
  cilk_sync;
  long sum = kept + changed + previous + before_previous + static_cast<long>(real * 100);
  for (long value : sink) sum = (sum * 31 + value) % 1000000007;
  return sum;
}

// Comma, conditional and parenthesised forms around whole statements; labels and empty statements
// beside spawns.
long forms(long n) {
  long a = 0, b = 0, c = 0;
  (a = cilk_spawn work(n));
  if (n > 3)
    b = cilk_spawn work(n + 1);
  else
    b = cilk_spawn work(n + 2);
  for (int i = 0; i < 3; ++i) cilk_spawn [](long) {}(i);
  {
    {
      c = cilk_spawn work(n + 3);
    }
    cilk_sync;
  }
  cilk_sync;
  cilk_sync;
  cilk_spawn work(1);
  return a * 10000 + b * 100 + c;
}

// A path without spawns, with a sync that has nothing to wait for.
long not_taken(long n) {
  if (opaque(false)) {
    long a = cilk_spawn work(n);  // matrix: never (the branch is not taken)
    n = 2;
    cilk_sync;
    return a;
  }
  cilk_sync;
  return n;
}

}  // namespace

int main() {
  unsigned long checksum = 0;
  for (long n = 0; n < 48; ++n) {
    long side = 0;
    const long values[] = {branches(n), switches(n), early_returns(n % 4, side),
                           side,        loops(n),    gotos(n),
                           carried(n),  forms(n),    not_taken(n)};
    for (long value : values) checksum = mix(checksum, static_cast<unsigned long>(value));
    if (n % 8 == 0) {
      printf("%ld:", n);
      for (long value : values) printf(" %ld", value);
      printf("\n");
    }
  }
  printf("flow: checksum %016lx\n", checksum);
  return 0;
}
