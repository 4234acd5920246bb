// _Cilk_spawn and _Cilk_sync without a header: results, void calls, member calls, implicit sync.
#include <cstdio>

struct Counter {
  int sum = 0;
  void add(int n) { sum += n; }
};

long fib(int n) {
  if (n < 2) return n;
  long x = _Cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  _Cilk_sync;
  return x + y;
}

int ackermann_like(int n) {
  int a, b;
  if (n <= 0) return 1;
  a = _Cilk_spawn ackermann_like(n - 2);
  b = _Cilk_spawn ackermann_like(n - 3);
  _Cilk_sync;
  return (a + 2 * b) % 1000;
}

void fill(int *first, int *last, int value) {
  if (last - first < 8) {
    while (first != last) *first++ = value++;
    return;
  }
  int half = static_cast<int>(last - first) / 2;
  _Cilk_spawn fill(first, first + half, value);
  fill(first + half, last, value + half);
}

int main() {
  Counter counters[4];
  for (int i = 0; i < 4; ++i) _Cilk_spawn counters[i].add(i * i);
  _Cilk_sync;
  int numbers[100];
  fill(numbers, numbers + 100, 7);
  std::printf("%ld %d\n", fib(16), ackermann_like(20));
  std::printf("%d %d %d %d\n", counters[3].sum, numbers[0], numbers[50], numbers[99]);
  return 0;
}
