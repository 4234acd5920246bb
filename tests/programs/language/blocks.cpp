// The block form: `cilk_spawn { ... }` and other whole statements as children; locals of the
// function by reference. A block is a sync region of its own: its children are synced at its end,
// and no sync inside waits for those of the function.

#include <cilk/cilk.h>

#include <atomic>
#include <string>
#include <vector>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

NOINLINE long work(long n) {
  linger();
  return n * 2 + 1;
}

void simple() {
  long a = 1, b = 2, c = 3;
  cilk_spawn {
    a = work(10);
    b = work(a);
  }
  cilk_spawn { c = work(c); }
  cilk_spawn {}
  cilk_sync;
  printf("simple: %ld %ld %ld\n", a, b, c);
}

// Locals with destructors inside the block, made and destroyed by the child.
void with_objects() {
  BalanceCheck balance;
  std::vector<std::string> results(10);
  std::atomic<long> sum{0};
  for (std::size_t i = 0; i < 10; ++i) {
    std::string *place = &results[i];
    cilk_spawn [place, i, &sum] {
      Counted counted(static_cast<long>(i));
      *place = std::string(i + 15, 'x') + std::to_string(counted.value());
      sum.fetch_add(counted.value(), std::memory_order_relaxed);
    }();
  }
  long total = 0;
  cilk_spawn {
    Counted one(1), two(2);
    for (int i = 0; i < 10; ++i) {
      Counted three(3);
      total += one.value() + two.value() * three.value();
    }
  }
  cilk_sync;
  for (const std::string &result : results) total += static_cast<long>(result.size());
  printf("objects: %ld %ld\n", total, sum.load());
}

// Spawns inside a block, with a sync of their own, while a child of the function is still
// outstanding.
void nested() {
  long outer = 0, inner[4] = {}, deepest = 0, after = 0;
  outer = cilk_spawn work(1);
  cilk_spawn {
    inner[0] = cilk_spawn work(2);
    inner[1] = cilk_spawn work(3);
    inner[2] = work(4);
    cilk_sync;
    inner[3] = inner[0] + inner[1] + inner[2];
    cilk_spawn {
      deepest = cilk_spawn work(inner[3]);
      cilk_sync;
      deepest += 1;
    }
  }
  after = work(5);
  cilk_sync;
  printf("nested: %ld %ld %ld %ld\n", outer, inner[3], deepest, after);
}

// Blocks in a loop: they change variables outside the loop, or their own.
void in_a_loop() {
  long values[20] = {}, *next = values;
  for (int i = 0; i < 20; ++i) {
    long *mine = next++;
    *mine = i;
    // `mine` dies with the iteration, so the iteration waits for its child; the spawn inside the
    // block need not wait.
    cilk_spawn {
      long n = *mine;
      long twice = cilk_spawn work(n);
      n = work(n + 1);
      cilk_sync;
      *mine = n + twice;
    }
    cilk_sync;
  }
  long sum = 0;
  for (long value : values) sum = sum * 3 + value;
  printf("loop: %ld\n", sum);
}

// Control flow that stays in the block.
void control_flow(long n) {
  long sum = 0, found = -1;
  cilk_spawn {
    for (long i = 0; i < n; ++i) {
      if (i % 3 == 0) continue;
      sum += i;
      if (sum > 100) break;
    }
    switch (sum % 4) {
      case 0:
        found = 0;
        break;
      case 1:
        found = work(1);
        break;
      default:
        found = work(sum);
    }
  }
  cilk_sync;
  printf("control flow: %ld %ld\n", sum, found);
}

class Holder {
 public:
  long run(long n) {
    cilk_spawn {
      value_ = work(n);
      this->other_ = member(n);
    }
    long mine = member(n + 1);
    cilk_sync;
    return value_ + other_ * 10 + mine * 100;
  }

 private:
  NOINLINE long member(long n) const { return n + 7; }
  long value_ = 0, other_ = 0;
};

template <class T>
T in_template(T n) {
  T a = 0, b = 0;
  cilk_spawn { a = n * 2; }
  cilk_spawn {
    for (T i = 0; i < n; i += 1) b += i;
  }
  cilk_sync;
  return a + b;
}

}  // namespace

int main() {
  for (int i = 0; i < 5; ++i) {
    simple();
    with_objects();
    nested();
    in_a_loop();
    control_flow(40);
    printf("member: %ld, templates: %ld %.1f\n", Holder().run(3), in_template(10L),
           in_template(4.5));
    CHECK_EQ(Counted::live(), 0);
  }
  return 0;
}
