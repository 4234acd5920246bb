// cilk::reducer of op_mul, op_and, op_or and op_xor, with and without an initial value.
#include <cilk/cilk.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>

#include <cstdio>

using namespace cilk;

typedef reducer<op_mul<unsigned long> > Product;

void multiply_range(Product &product, unsigned from, unsigned to) {
  if (to - from == 1) {
    *product *= from;
    return;
  }
  unsigned middle = from + (to - from) / 2;
  cilk_spawn multiply_range(product, from, middle);
  multiply_range(product, middle, to);
  cilk_sync;
}

int main() {
  Product factorial, scaled(3);
  multiply_range(factorial, 1, 16);
  multiply_range(scaled, 2, 6);

  reducer<op_and<unsigned> > common(0xffffu);
  reducer<op_or<unsigned> > any;
  reducer<op_xor<unsigned> > parity(0x80u);
  reducer<op_and<bool> > all_small;
  cilk_for (unsigned i = 0; i < 64; ++i) {
    *common &= ~(1u << i % 5);
    *any |= i * 5;
    *any = *any | 0x1000u;
    *parity ^= i * i;
    *all_small &= i < 64;
  }
  std::printf("%lu %lu\n", factorial.get_value(), scaled.get_value());
  std::printf("%x %x %x %d\n", common.get_value(), any.get_value(), parity.get_value(),
              all_small.get_value() ? 1 : 0);
}
