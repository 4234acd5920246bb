// tbb::task_group run and wait: recursive Fibonacci, the run lambda assigns by reference.
#include <tbb/task_group.h>

#include <cstdio>

static long fib(int n) {
  if (n < 2) return n;
  if (n < 10) return fib(n - 1) + fib(n - 2);
  long x, y;
  tbb::task_group group;
  group.run([&] { x = fib(n - 1); });
  y = fib(n - 2);
  group.wait();
  return x + y;
}

static long tribonacci(int n) {
  if (n < 3) return n == 2 ? 1 : 0;
  long a = 0, b = 0, c = 0;
  tbb::task_group group;
  group.run([&a, n] { a = tribonacci(n - 1); });
  group.run([&b, n] { b = tribonacci(n - 2); });
  c = tribonacci(n - 3);
  group.wait();
  return a + b + c;
}

int main() {
  for (int n = 0; n <= 24; n += 6) std::printf("fib(%d) = %ld\n", n, fib(n));
  std::printf("tribonacci(14) = %ld\n", tribonacci(14));
  return 0;
}
