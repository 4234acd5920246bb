// What debug_test.py stops in: locals of every kind, a spawn in a loop, a spawned
// block, arguments and results in memory, an array of unknown length, a cilk_for. Each comment "at:
// NAME" marks a line on which the test sets a breakpoint.
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
    scalar += array[i] * i;       // at: added
    use(array, &pair, &counter);  // at: after
  }
  cilk_spawn {
    int inner = pair.first + 1;
    last = child(inner);  // at: block
  }
  scalar += count;  // at: after block
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
  for (int i = 0; i < n; ++i) row[i] = 10 * i;
  cilk_spawn child(n);
  out.words[0] = row[1] + in.words[3];  // at: filled
  cilk_sync;
  // (The optimizer rewrites a leaf of several iterations into a loop that no breakpoint stops in.)
#pragma cilk grainsize = 1
  cilk_for (int i = 0; i < n; ++i) {
    const long twice = 2 * row[i];
    out.words[i] += twice;  // at: loop
  }
  out.words[2] -= n;  // at: looped
  return out;
}

// Overwrites every caller-saved register.
inline void overwrite() {
  asm volatile(
      "xor %%eax, %%eax; mov %%rax, %%rcx; mov %%rax, %%rdx; mov %%rax, %%rsi; mov %%rax, %%rdi;"
      "mov %%rax, %%r8; mov %%rax, %%r9; mov %%rax, %%r11; xorps %%xmm0, %%xmm0" ::
          : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r11", "xmm0", "cc", "memory");
}

[[gnu::noinline]] long bottom(long n) {
  overwrite();
  return n + 1;  // at: bottom
}

// Each of its frames waits for a child. Values that are needed afterwards are in memory meanwhile.
[[gnu::noinline]] long chain(long low, long high, int depth) {
  long below = 0;
  if (depth == 1)
    below = cilk_spawn bottom(low);
  else
    below = cilk_spawn chain(low + 1, 3 * high, depth - 1);
  long own = bottom(low * high);
  cilk_sync;
  return below + own + high - low + depth;
}

[[gnu::noinline]] long lower(long n) {
  overwrite();
  return n + 1;  // at: lower
}

// If everything is stolen, the slow clone runs its second spawn.
[[gnu::noinline]] long both(long low, long high) {
  long first = cilk_spawn child(low);
  long second = cilk_spawn lower(high);
  long own = bottom(low * high);
  cilk_sync;
  return first + second + own + high - low;
}

int main() {
  if (work(4, "sum") != 89) return 1;
  if (chain(5, 7, 3) != 692) return 2;
  if (both(11, 13) != 183) return 3;
  const Big out = fill(4, {{1, 2, 3, 4}});
  return out.words[0] == 14 && out.words[2] == 39 && out.words[3] == 64 ? 0 : 1;
}
