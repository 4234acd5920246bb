// Lambdas: captures by copy, reference and move, mutable, generic, recursive, in default arguments
// and members; std::function.
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include "common.h"

static int called(const std::function<int(int)> &f, int n) {
  int r = f(n);
  return r + 1;
}
static int defaulted(
    int n, int (*f)(int) = [](int m) {
      int r = m * 3;
      return r;
    }) {
  int x = f(n);
  return x;
}
struct Counter {
  int count = [] {
    int n = 4;
    return n;
  }();
  std::function<int()> stepper() {
    return [this] {
      ++count;
      return count;
    };
  }
  auto copy() const {
    return [self = *this](int n) mutable {
      self.count += n;
      return self.count;
    };
  }
};
static auto adder(int n) {
  return [n](auto m) {
    auto r = m + n;
    return r;
  };
}
template <class F>
static auto compose(F f) {
  return [f = std::move(f)](auto &&...args) {
    auto r = f(f(std::forward<decltype(args)>(args)...));
    return r;
  };
}

int main() {
  int local = 5;
  std::string text = "captured";
  auto by_reference = [&](int n) {
    local += n;
    text += static_cast<char>('a' + n % 26);
    return local;
  };
  for (int i = 0; i < 6; ++i) {
    int r = by_reference(i);
    add(static_cast<uint64_t>(r));
  }
  add(text.size());
  auto moved = [p = std::make_unique<int>(8), text](int n) mutable {
    *p += n;
    text.push_back('!');
    return *p + static_cast<int>(text.size());
  };
  add(static_cast<uint64_t>(moved(2)));
  add(static_cast<uint64_t>(moved(3)));
  std::function<int(int)> fib = [&fib](int n) {
    if (n < 2) return n;
    int a = fib(n - 1);
    int b = fib(n - 2);
    return a + b;
  };
  add(static_cast<uint64_t>(called(fib, 9)));
  auto again = [](auto &&self, int n) -> int {
    if (n == 0) return 1;
    int below = self(self, n - 1);
    return below * 2;
  };
  add(static_cast<uint64_t>(again(again, 7)));
  Counter counter;
  auto step = counter.stepper();
  step();
  step();
  auto copied = counter.copy();
  copied(10);
  add(static_cast<uint64_t>(copied(1) * 100 + counter.count));
  add(static_cast<uint64_t>(adder(4)(5)));
  add_double(adder(4)(0.5));
  add(static_cast<uint64_t>(compose(adder(7))(1)));
  add(static_cast<uint64_t>(defaulted(6) + defaulted(6, [](int n) { return -n; })));
  std::vector<std::function<void()>> later;
  for (int i = 0; i < 5; ++i) later.emplace_back([i, &local] { local = local * 3 + i; });
  for (auto &each : later) each();
  add(static_cast<uint64_t>(local));
  [&, n = local]() {
    if (n > 0) {
      add(1);
      return;
    }
    add(2);
  }();
  show("lambdas");
}
