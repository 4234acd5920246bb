// Arguments of a spawned call: class objects by value, temporaries, references to temporaries, and
// arguments that throw. The parent evaluates them, the child destroys them, each exactly once;
// Counted checks that, and that none is moved as bytes.

#include <cilk/cilk.h>

#include <atomic>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

NOINLINE long by_value(Counted a) {
  linger();
  return a.value();
}
NOINLINE long by_values(Counted a, long b, Counted c, const Counted &d, Counted &&e) {
  linger();
  return a.value() + 10 * b + 100 * c.value() + 1000 * d.value() + 10000 * e.value();
}
NOINLINE void store(std::atomic<long> &sum, Counted value, const std::string &text) {
  linger();
  sum.fetch_add(value.value() * static_cast<long>(text.size()), std::memory_order_relaxed);
}
NOINLINE long length(std::string a, const std::string &b) {
  linger();
  return static_cast<long>(a.size() * 100 + b.size());
}
NOINLINE long take(std::unique_ptr<Counted> owned) {
  linger();
  return owned->value();
}
NOINLINE long total(std::initializer_list<long> values) {
  linger();
  long sum = 0;
  for (long value : values) sum += value;
  return sum;
}
struct Big {
  long values[20];
};
NOINLINE long trivial_but_big(Big big, long index) {
  linger();
  return big.values[index];
}
NOINLINE Counted twice(const Counted &value) { return Counted(2 * value.value()); }

class Account {
 public:
  explicit Account(long start) : counted_(start) {}
  Account plus(const Counted &amount) const { return Account(counted_.value() + amount.value()); }
  long read(Counted factor) const {
    linger();
    return counted_.value() * factor.value();
  }

 private:
  Counted counted_;
};

void values_and_temporaries() {
  BalanceCheck balance;
  Counted local(3), other(4);
  Counted moved(5);
  long a = cilk_spawn by_value(Counted(1));
  long b = cilk_spawn by_value(local);
  long c = cilk_spawn by_value(std::move(moved));
  long d = cilk_spawn by_values(Counted(1), 2, local, Counted(4), Counted(5));
  long e = cilk_spawn by_values(twice(Counted(1)), 2, twice(twice(local)), other, twice(other));
  long f = cilk_spawn length("a literal that becomes a long string", std::string(30, 'b') + "end");
  long g = cilk_spawn take(std::make_unique<Counted>(6));
  long h = cilk_spawn total({1, 2, 3, 4});
  long i = cilk_spawn Account(7).plus(Counted(1)).plus(Counted(2)).read(Counted(10));
  Big big{};
  big.values[19] = 11;
  long j = cilk_spawn trivial_but_big(big, 19);
  big.values[19] = 12;  // the child has its own
  Counted result = cilk_spawn twice(Counted(21));
  cilk_sync;
  printf("values: %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld\n", a, b, c, d, e, f, g, h, i, j,
         result.value());
}

// Each iteration builds its own temporaries while children of earlier iterations still use theirs.
void in_a_loop() {
  BalanceCheck balance;
  std::atomic<long> sum{0};
  long expected = 0;
  std::vector<long> results(40);
  for (long i = 0; i < 40; ++i) {
    cilk_spawn store(sum, Counted(i), std::string(static_cast<std::size_t>(i + 20), 's'));
    expected += i * (i + 20);
    results[static_cast<std::size_t>(i)] =
        cilk_spawn by_values(Counted(i), i, twice(Counted(i)), Counted(i + 1), Counted(1));
  }
  cilk_sync;
  CHECK_EQ(sum.load(), expected);
  long checksum = 0;
  for (long value : results) checksum = (checksum * 3 + value) % 1000000007;
  printf("loop: %ld %ld\n", sum.load(), checksum);
}

NOINLINE Counted unless(bool fails, long value) {
  if (fails) throw std::runtime_error("an argument");
  return Counted(value);
}
NOINLINE void count_call(std::atomic<long> &calls, Counted a, Counted b, Counted c) {
  linger();
  calls.fetch_add(a.value() + b.value() + c.value(), std::memory_order_relaxed);
}

// An argument that throws is an ordinary exception of the parent: nothing was spawned, and the
// arguments made so far are destroyed.
void throwing_arguments() {
  BalanceCheck balance;
  std::atomic<long> calls{0};
  long caught = 0;
  for (int which = 0; which < 5; ++which) {
    try {
      cilk_spawn count_call(calls, Counted(1), Counted(1), Counted(1));
      cilk_spawn count_call(calls, unless(which == 1, 10), unless(which == 2, 20),
                          unless(which == 3, 30));
      cilk_spawn count_call(calls, Counted(100), unless(which == 4, 100), Counted(100));
      cilk_sync;
    } catch (const std::runtime_error &) {
      ++caught;
    }
  }
  printf("throwing arguments: %ld caught, calls add up to %ld\n", caught, calls.load());
}

// The same where the exception leaves the function: its implicit sync comes before the locals that
// the child uses are destroyed.
void leave_by_argument(std::atomic<long> &calls) {
  Counted local(7);
  cilk_spawn count_call(calls, local, local, local);
  cilk_spawn [&local, &calls] {
    linger();
    calls.fetch_add(local.value(), std::memory_order_relaxed);
  }();
  // matrix: never-begin (its argument throws)
  cilk_spawn count_call(calls, Counted(1), unless(true, 1), Counted(1));
  // matrix: never-end
}

void throwing_through() {
  BalanceCheck balance;
  std::atomic<long> calls{0};
  for (int i = 0; i < 10; ++i) {
    try {
      leave_by_argument(calls);
      CHECK(!"reached");
    } catch (const std::runtime_error &) {
    }
  }
  printf("leaving by an argument: %ld\n", calls.load());
}

// Copies of the parameters of the spawning function itself: by value, by reference, and as a
// parameter pack.
template <class... Ts>
long pack(Ts... values) {
  long results[] = {0, 0};
  results[0] = cilk_spawn by_values(Counted(1), 0, values..., Counted(0));
  results[1] = cilk_spawn [](Ts... copies) { return (copies.value() + ... + 0L); }(values...);
  cilk_sync;
  return results[0] * 100 + results[1];
}

}  // namespace

int main() {
  for (int i = 0; i < 5; ++i) {
    values_and_temporaries();
    in_a_loop();
    throwing_arguments();
    throwing_through();
    printf("pack: %ld\n", pack(Counted(2), Counted(3)));
    CHECK_EQ(Counted::live(), 0);
  }
  return 0;
}
