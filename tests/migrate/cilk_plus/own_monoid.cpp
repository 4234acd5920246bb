// User-defined monoids that derive from cilk::monoid_base: of a struct, and with state.
#include <cilk/cilk.h>
#include <cilk/reducer.h>

#include <algorithm>
#include <cstdio>
#include <new>

struct Stats {
  int count = 0, sum = 0, low = 1 << 20, high = -1;
};

struct StatsMonoid : cilk::monoid_base<Stats> {
  static void identity(Stats *view) { new (view) Stats(); }
  static void reduce(Stats *left, Stats *right) {
    left->count += right->count;
    left->sum += right->sum;
    left->low = std::min(left->low, right->low);
    left->high = std::max(left->high, right->high);
  }
};

struct Modular : cilk::monoid_base<long> {
  explicit Modular(long modulus = 2) : modulus_(modulus) {}
  void identity(long *view) const { new (view) long(1); }
  void reduce(long *left, long *right) const { *left = *left * *right % modulus_; }
  long modulus_;
};

int main() {
  cilk::reducer<StatsMonoid> stats;
  cilk::reducer<Modular> power(Modular(1009), 5);
  cilk_for (int i = 0; i < 120; ++i) {
    Stats &view = stats.view();
    view.low = std::min(view.low, i * 43 % 127 + 2);
    view.high = std::max(view.high, i * 43 % 127);
    ++stats->count;
    (*stats).sum += i;
    *power = *power * 3 % 1009;
  }
  const Stats &all = stats.get_value();
  std::printf("%d %d %d %d %ld\n", all.count, all.low, all.high, all.sum, power.get_value());
}
