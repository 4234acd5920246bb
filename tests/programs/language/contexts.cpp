// Functions of every kind that may spawn, each called in the ordinary way, also by code that knows
// nothing of spawns (qsort, the standard library, a virtual call, an initializer before main). See
// callees.cpp for what may be spawned.

#include <cilk/cilk.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../support/check.h"
#include "../support/spawning_header.h"

namespace {

NOINLINE long leaf(long n) { return 2 * n + 1; }

// Spawns before main begins.
const long initialized_before_main = [] {
  long a = cilk_spawn leaf(1);
  long b = leaf(2);
  cilk_sync;
  return a * b;
}();

class Tree {
 public:
  // A constructor that spawns, with members that its children fill; also used as a base (another
  // copy of the code).
  explicit Tree(int depth) : depth_(depth) {
    if (depth > 0) {
      cilk_spawn make(left_, depth - 1);  // matrix: some (two constructors)
      make(right_, depth - 1);
    }
  }
  // A destructor that spawns.
  virtual ~Tree() {
    if (left_) {
      cilk_spawn drop(left_);  // matrix: some (two or three copies of the destructor)
      drop(right_);
      cilk_sync;
    }
  }
  Tree(const Tree &) = delete;
  Tree &operator=(const Tree &) = delete;

  virtual long leaves() const {
    if (!left_) return 1;
    long left = cilk_spawn left_->leaves();
    long right = right_->leaves();
    cilk_sync;
    return left + right;
  }

  static long depth_of(const Tree *tree) {
    if (tree == nullptr) return -1;
    long left, right;
    left = cilk_spawn depth_of(tree->left_.get());
    right = cilk_spawn depth_of(tree->right_.get());
    cilk_sync;
    return 1 + std::max(left, right);
  }

  long operator()(long factor) const {
    long left = 0, right = 0;
    if (left_) {
      left = cilk_spawn(*left_)(factor);
      right = (*right_)(factor);
      cilk_sync;
    }
    return left + right + factor;
  }

  explicit operator long() const {
    if (!left_) return depth_;
    long left = cilk_spawn left_->operator long();
    long right = right_->operator long();
    cilk_sync;
    return left + right + depth_;
  }

  friend long difference(const Tree &a, const Tree &b) {
    long x = cilk_spawn a.leaves();
    long y = cilk_spawn b.leaves();
    cilk_sync;
    return x - y;
  }

 private:
  static void make(std::unique_ptr<Tree> &place, int depth) {
    place = std::make_unique<Tree>(depth);
  }
  static void drop(std::unique_ptr<Tree> &place) { place.reset(); }

  int depth_;
  std::unique_ptr<Tree> left_, right_;
};

class Orchard : public Tree {
 public:
  explicit Orchard(int depth) : Tree(depth), other_(depth - 1) {}
  long leaves() const override {
    long mine = cilk_spawn Tree::leaves();
    long others = other_.leaves();
    cilk_sync;
    return mine + others;
  }

 private:
  Tree other_;
};

// A function template, instantiated for two types, and one with a generic lambda that calls itself.
template <class T>
T sum_range(T begin, T end) {
  if (end - begin < 4) {
    T sum = 0;
    for (T i = begin; i < end; i += 1) sum += i;
    return sum;
  }
  const T middle = begin + static_cast<T>(static_cast<long>(end - begin) / 2);
  T low = cilk_spawn sum_range(begin, middle);
  T high = sum_range(middle, end);
  cilk_sync;
  return low + high;
}

template <class Visit>
void for_each_index(long begin, long end, const Visit &visit) {
  if (end - begin == 1) {
    visit(begin);
    return;
  }
  cilk_spawn for_each_index(begin, begin + (end - begin) / 2, visit);
  for_each_index(begin + (end - begin) / 2, end, visit);
}

long lambdas(long n) {
  auto fibonacci = [](auto self, auto m) -> long {
    if (m < 2) return m;
    long a = cilk_spawn self(self, m - 1);
    long b = self(self, m - 2);
    cilk_sync;
    return a + b;
  };
  std::function<long(long)> recursive = [&recursive](long m) -> long {
    if (m < 2) return 1;
    long a = cilk_spawn recursive(m - 2);
    long b = recursive(m - 1);
    cilk_sync;
    return a + b;
  };
  return fibonacci(fibonacci, n) * 1000 + recursive(n) +
         fibonacci(fibonacci, static_cast<short>(n));
}

// A lambda that spawns, inside a function that spawns: each syncs its own children.
long nested_lambda(long n) {
  long outer = cilk_spawn leaf(n);
  auto inner = [n] {
    long a = cilk_spawn leaf(n + 1);
    long b = leaf(n + 2);
    cilk_sync;
    return a + b;
  };
  long called = inner();
  long spawned = cilk_spawn inner();
  cilk_sync;
  return outer + called + spawned;
}

long local_class(long n) {
  struct Local {
    long m;
    long run() const {
      if (m == 0) return 1;
      long a = cilk_spawn Local{m - 1}.run();
      long b = leaf(m);
      cilk_sync;
      return a + b;
    }
  };
  return Local{n}.run();
}

#define SPAWN_BOTH(a, b, n)                                                     \
  do {                                                                          \
    (a) = cilk_spawn leaf(n); /* matrix: elsewhere (where the macro is used) */ \
    (b) = leaf((n) + 1);                                                        \
    cilk_sync;                                                                  \
  } while (0)

long macros(long n) {
  long a, b;
  SPAWN_BOTH(a, b, n);
  return a * 100 + b;
}

int compare_by_spawning(const void *a, const void *b) {
  long x = cilk_spawn leaf(*static_cast<const long *>(a));
  long y = leaf(*static_cast<const long *>(b));
  cilk_sync;
  return x < y ? -1 : x > y;
}

long callbacks(long n) {
  std::vector<long> values(static_cast<std::size_t>(n));
  unsigned long random = 7;
  for (long &value : values) value = static_cast<long>(next_random(&random) % 100);
  std::vector<long> sorted = values;
  std::qsort(values.data(), values.size(), sizeof values[0], compare_by_spawning);
  std::sort(sorted.begin(), sorted.end(),
            [](long a, long b) { return compare_by_spawning(&a, &b) < 0; });
  CHECK(values == sorted);
  return std::accumulate(values.begin(), values.end(), 0L, [](long sum, long value) {
    long a = cilk_spawn leaf(value);
    cilk_sync;
    return sum * 3 + a;
  });
}

// Mutual recursion, and a function that calls itself in its continuation only.
long odd_part(long n);
long even_part(long n) {
  if (n == 0) return 1;
  long a = cilk_spawn odd_part(n - 1);
  long b = leaf(n);
  cilk_sync;
  return a + b;
}
long odd_part(long n) {
  if (n == 0) return 2;
  long a = cilk_spawn leaf(n);
  long b = even_part(n - 1);
  cilk_sync;
  return a - b;
}

// A body that is a try block, of a function and of a constructor.
struct FunctionTry {
  explicit FunctionTry(long n) try : value(0) {
    value = cilk_spawn leaf(n);
    leaf(n);
  } catch (...) {
    printf("not reached\n");
  }
  long value;
};
long function_try(long n) try {
  long a = cilk_spawn leaf(n);
  long b = leaf(n + 1);
  cilk_sync;
  return a * b + FunctionTry(n).value;
} catch (...) {
  return -1;
}

}  // namespace

// A main that spawns.
int main() {
  long from_main = cilk_spawn leaf(20);
  printf("before main: %ld\n", initialized_before_main);
  {
    Tree tree(6);
    printf("tree: %ld leaves, depth %ld, %ld, %ld\n", tree.leaves(), Tree::depth_of(&tree), tree(3),
           static_cast<long>(tree));
    Orchard orchard(5);
    const Tree &base = orchard;
    printf("orchard: %ld, %ld\n", base.leaves(), difference(tree, base));
    std::unique_ptr<Tree> deleted_through_base = std::make_unique<Orchard>(4);
    printf("owned: %ld\n", deleted_through_base->leaves());
  }
  printf("templates: %ld %.1f\n", sum_range(0L, 100L), sum_range(0.5, 100.5));
  std::vector<long> visited(100);
  for_each_index(0, 100, [&visited](long i) { visited[static_cast<std::size_t>(i)] += i; });
  printf("visited: %ld\n", std::accumulate(visited.begin(), visited.end(), 0L));
  printf("lambdas: %ld, nested: %ld, local class: %ld\n", lambdas(12), nested_lambda(5),
         local_class(20));
  printf("macros: %ld, header: %ld, callbacks: %ld\n", macros(4),
         spawning_inline(5) + SpawningTemplate<int>::run(6), callbacks(12));
  printf("mutual recursion: %ld, function try: %ld\n", even_part(30), function_try(8));
  cilk_sync;
  printf("main: %ld\n", from_main);
  return 0;
}
