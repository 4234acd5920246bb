// Functions of so many spawns that the fast path is a call, under one destructor, so all landing
// pads are one: 100 of them, and 300 and 600, where the slow clone has parts (none where there are
// branches). Any of the children throws.
#include <cilk/cilk.h>

#include <cstdio>
#include <stdexcept>

#define FIVE(X) X X X X X
#define TEN(X) FIVE(X) FIVE(X)
#define EIGHTY(X) TEN(FIVE(X) X X X)
#define THREE_HUNDRED(X) FIVE(TEN(FIVE(X) X))
#define SIX_HUNDRED(X) THREE_HUNDRED(X) THREE_HUNDRED(X)

struct Value {
  long v;
  explicit Value(long x) : v(x) {}
  ~Value() { v = 0; }
};

__attribute__((noinline)) static long child(const Value &a, bool throws) {
  if (throws) throw std::runtime_error("a child threw");
  return a.v * 31 + 1;
}

__attribute__((noinline)) static long more(long s) { return s % 1000 * 3 + 1; }

__attribute__((noinline)) static long hundred(long k, int throwing, long *results) {
  long s = k;
  int at = 0;
  Value outer(k);
  EIGHTY(results[at] = cilk_spawn child(Value(k + at), throwing == at); s += more(s); ++at;)
  for (; at < 100; ++at) results[at] = cilk_spawn child(Value(at), throwing == at);
  cilk_sync;
  return s + outer.v;
}

__attribute__((noinline)) static long straight(long k, int throwing, long *results) {
  long s = k;
  int at = 0;
  Value outer(k);
  SIX_HUNDRED(results[at] = cilk_spawn child(Value(k + at), throwing == at); s += more(s); ++at;)
  cilk_sync;
  return s + outer.v;
}

__attribute__((noinline)) static long in_a_loop(long k, int rounds, long *results) {
  long s = k;
  for (int i = 0; i < rounds; ++i) {
    long *next = results + i * 300;
    THREE_HUNDRED(*next = cilk_spawn child(Value(k + i), false); s = more(s) + i; ++next;)
  }
  cilk_sync;
  return s;
}

__attribute__((noinline)) static long in_branches(long k, long *at) {
  long s = k;
  THREE_HUNDRED(if (s % 3 == 0) s += 7; else *at = cilk_spawn child(Value(s), false); ++at;
                s = more(s);)
  cilk_sync;
  return s;
}

static long sum_of(const long *results, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum = (sum * 7 + results[i]) % 1000003;
  return sum;
}

static void print(const char *name, long (*run)(long, int, long *), int throwing, int count) {
  static long results[600];
  try {
    long s = run(throwing, throwing, results);
    std::printf("%s %d: %ld %ld\n", name, throwing, s, sum_of(results, count));
  } catch (const std::exception &e) {
    std::printf("%s %d: %s\n", name, throwing, e.what());
  }
}

int main() {
  for (int throwing : {-1, 0, 37, 79, 90}) print("hundred", hundred, throwing, 100);
  for (int throwing : {-1, 0, 1, 255, 256, 257, 511, 512, 599})
    print("straight", straight, throwing, 600);
  static long results[900];
  long s = in_a_loop(3, 3, results);
  std::printf("in a loop: %ld %ld\n", s, sum_of(results, 900));
  for (long &result : results) result = 0;
  s = in_branches(5, results);
  std::printf("in branches: %ld %ld\n", s, sum_of(results, 300));
}
