// The older cilk::reducer_opadd, reducer_opmul, reducer_opor, reducer_max, reducer_min and _index.
#include <cilk/cilk.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>

#include <cstdio>

void count(int n, cilk::reducer_opadd<int> &calls) {
  ++calls;
  if (n < 2) return;
  calls++;
  cilk_spawn count(n - 1, calls);
  count(n - 2, calls);
  cilk_sync;
}

int main() {
  cilk::reducer_opadd<int> calls(100);
  count(12, calls);

  cilk::reducer_opadd<long> sum;
  cilk::reducer_opmul<int> sign(-1);
  cilk::reducer_opor<unsigned> bits;
  cilk::reducer_max<int> highest;
  cilk::reducer_min<double> lowest(1000.0);
  cilk::reducer_max_index<int, int> where;
  cilk_for (int i = 0; i < 150; ++i) {
    int x = i * 29 % 83;
    sum += x;
    sum -= 1;
    sign *= i % 7 == 0 ? -1 : 1;
    bits |= static_cast<unsigned>(x);
    highest.calc_max(x);
    lowest.calc_min(x + 0.25);
    where.calc_max(i, x);
  }
  std::printf("%d %ld %d %x\n", calls.get_value(), sum.get_value(), sign.get_value(),
              bits.get_value());
  std::printf("%d %g %d %d\n", highest.get_reference(), lowest.get_value(), where.get_index(),
              where.get_value());
  sum.set_value(1);
  // stays: reducers of this kind stay Cilk Plus': 'is_set'
  std::printf("%ld %d\n", sum.get_value(), highest.is_set() ? 1 : 0);
}
