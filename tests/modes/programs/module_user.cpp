// Uses what the module exports.
#include <cstdio>
import spawning;

int main() {
  long squares[20] = {}, sum = 0;
  each(20, [&](long i) { squares[i] = i * i; });
  for (long square : squares) sum += square;
  std::printf("%ld %d %ld", inline_fib(12), template_fib<int>(11), own_instance(10));
  std::printf(" %ld %ld\n", sum, Tree<long>().sum(40));
  return 0;
}
