// What debug_test.py stops in: locals of every kind, a spawn in a loop, a spawned
// block, arguments and results in memory, an array of unknown length, a cilk_for. Each comment "at: NAME" marks a line on which the test sets a breakpoint.
#include <cilk/cilk.h>
#include <cstdio>

struct Pair {
  int first;
  long second;
};

class Counter {
public:
  explicit Counter(int start) : value(start) {}
  ~Counter() { value = -1; }
  int next() { return ++value; }

private:
  int value;
};

[[gnu::noinline]] int child(int n) {
  volatile int doubled = 2 * n;
  return doubled + 1;  // at: child
}

[[gnu::noinline]] void use(const int *array, const Pair *pair, Counter *counter) {
  static volatile long sink;
  sink = array[0] + pair->second + counter->next();
}

[[gnu::noinline]] int work(int count, const char *name) {
  int scalar = count + 1;
  double ratio = 0.5 * count;
  int array[3] = {count + 6, 20, 30};
  Pair pair{7, 70};
  Counter counter(40);
  int results[3], last = 0;
  use(array, &pair, &counter);  // at: before
  for (int i = 0; i < 3; ++i) {
    results[i] = cilk_spawn child(array[i]);
    scalar += array[i] * i;  // at: added
    use(array, &pair, &counter);  // at: behind
  }
  cilk_spawn {
    int inner = pair.first + 1;
    last = child(inner);  // at: block
  }
  scalar += count;  // at: behind block
  use(array, &pair, &counter);
  cilk_sync;
  use(array, &pair, &counter);  // at: synced
  std::printf("%s %d %g %d\n", name, scalar, ratio, results[0] + results[1] + results[2] + last);
  return scalar;
}

struct Big {
  long words[4];
};

[[gnu::noinline]] Big fill(int n, Big in) {
  Big out = in;
  long row[n];
  for (int i = 0; i < n; ++i)
    row[i] = 10 * i;
  cilk_spawn child(n);
  out.words[0] = row[1] + in.words[3];  // at: filled
  cilk_sync;
  // (Of a leaf of several iterations the optimizer makes rounds that no breakpoint is in.)
#pragma cilk grainsize = 1
  cilk_for (int i = 0; i < n; ++i) {
    const long twice = 2 * row[i];
    out.words[i] += twice;  // at: loop
  }
  out.words[2] -= n;  // at: looped
  return out;
}

int main() {
  if (work(4, "sum") != 89)
    return 1;
  const Big out = fill(4, {{1, 2, 3, 4}});
  return out.words[0] == 14 && out.words[2] == 39 && out.words[3] == 64 ? 0 : 1;
}
