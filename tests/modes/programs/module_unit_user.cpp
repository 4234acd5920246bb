// Uses what the header unit has.
#include <cstdio>
import "module_unit.h";

int main() {
  long values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::printf("%ld %ld\n", header_fib(12), header_sum(values, 9));
  return 0;
}
