// cilk::reducer<cilk::op_add<T>>: updates, initial values, get_value, set_value, move_in, move_out.
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>

#include <cstdio>

long sum_of(const int *values, int n) {
  cilk::reducer<cilk::op_add<long>> sum;
  cilk_for (int i = 0; i < n; ++i) *sum += values[i];
  return sum.get_value();
}

int main() {
  int values[200];
  for (int i = 0; i < 200; ++i) values[i] = i * 37 % 101;

  cilk::reducer<cilk::op_add<int>> even, odd(1000);
  cilk::reducer<cilk::op_add<double>> half(0.5);
  cilk_for (int i = 0; i < 200; ++i) {
    if (values[i] % 2 == 0) {
      ++*even;
    } else {
      (*odd)++;
      *odd -= 2;
    }
    *half = *half + values[i] / 2.0 - 1;
  }
  std::printf("%ld %d %d %g\n", sum_of(values, 200), even.get_value(), odd.get_value(),
              half.get_value());

  even.set_value(5);
  cilk_for (int i = 0; i < 10; ++i) --*even;
  int in = 40, out = 0;
  odd.move_in(in);
  cilk_for (int i = 0; i < 10; ++i) {
    auto &view = *odd;
    view += i;
    view += 1;
  }
  odd.move_out(out);
  std::printf("%d %d\n", even.get_value(), out);
}
