// Hyperobjects of OpenCilk's language in C++: members of classes with constructors and destructors,
// templates and alias templates, references, lambdas, new and delete, regions that an exception
// leaves; callbacks of three forms, and OpenCilk's headers. The value is the serial one at each
// sync.

#include <cilk/cilk.h>
#include <cilk/holder.h>
#include <cilk/opadd_reducer.h>
#include <cilk/ostream_reducer.h>
#include <cilk/reducer>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "../support/check.h"

namespace {

// ---- a string, whose operation does not commute ----

struct Strings {
  static void identity(void *view) { ::new (view) std::string(); }
  static void identity(int);  // another overload
  static void reduce(void *left, void *right) {
    auto *from = static_cast<std::string *>(right);
    *static_cast<std::string *>(left) += *from;
    from->~basic_string();
  }
};
using Text = std::string cilk_reducer(Strings::identity, Strings::reduce);

NOINLINE void add(Text &text, long n) {
  if (n % 5 == 0) linger();
  text += std::to_string(n) + ",";
}
std::string numbers(long from, long to) {
  std::string text;
  for (long i = from; i < to; ++i) text += std::to_string(i) + ",";
  return text;
}

Text global_text = "global:";

// ---- members ----

template <class T>
class Account {
 public:
  explicit Account(T begin) : total_(begin), changes_(0) {
    total_ += 1;
    history_ = "made,";
  }
  ~Account() {
    total_ -= 1;
    last_total = total_;
    last_history = history_;
  }
  void change(T by, long n) {
    total_ += by;
    ++changes_;
    add(history_, n);
  }
  long changes() const { return changes_; }

  static inline T last_total;
  static inline std::string last_history;

 private:
  cilk::opadd_reducer<T> total_;
  long cilk_reducer(cilk::zero<long>, cilk::plus<long>) changes_;
  Text history_;
};

// Aliases in a class template name its members as callbacks.
template <class T>
struct Aliases {
  static void zero(void *view) { *static_cast<T *>(view) = T(); }
  static void plus(void *left, void *right) { *static_cast<T *>(left) += *static_cast<T *>(right); }
  using Sum = T cilk_reducer(zero, plus);
  template <class U>
  using SumOf = U cilk_reducer(Aliases::zero, plus);
};
NOINLINE void aliases_of_members() {
  Aliases<long>::Sum sum = 5;
  Aliases<int>::SumOf<int> other = 6;
  cilk_for (int i = 0; i < 100; ++i) {
    sum += i;
    other += 2;
  }
  CHECK_EQ(sum, 4955);
  CHECK_EQ(other, 206);
}

// A variable of each type, and one by an alias template.
template <class T>
T cilk_reducer(cilk::zero<T>, cilk::plus<T>) variable_of = 0;
template <class T>
cilk::opadd_reducer<T> variable_by_name = 0;

template <class T>
NOINLINE void variable_templates() {
  cilk_for (int i = 0; i < 60; ++i) {
    variable_of<T> += 1;
    variable_by_name<T> += 2;
  }
  CHECK_EQ(variable_of<T>, 60);
  CHECK_EQ(variable_by_name<T>, 120);
}

// Instances share what depends on no parameter.
cilk::opadd_reducer<long> global_sum = 0;
template <class T>
NOINLINE void add_to_global(T n) {
  const auto more = [] { return &(global_sum += 1); };
  CHECK(more() == &global_sum);
  global_sum += n;
}
NOINLINE void instances() {
  for (int i = 0; i < 30; ++i) {
    cilk_spawn add_to_global(i);
    cilk_spawn add_to_global(long{i});
    add_to_global(static_cast<short>(i));
  }
  cilk_sync;
  CHECK_EQ(global_sum, 90 + 3 * 435);
}

struct Aggregate {
  int plain;
  cilk::opadd_reducer<long> sums[3];
};
struct Derived : Aggregate {
  cilk::opadd_reducer<int> more = 9;
};

template <class T>
NOINLINE void members(T begin) {
  {
    Account<T> account(begin);
    cilk_for (long i = 0; i < 40; ++i) account.change(static_cast<T>(i), i);
    CHECK_EQ(account.changes(), 40);
  }
  CHECK_EQ(Account<T>::last_total, begin + 780);
  CHECK(Account<T>::last_history == "made," + numbers(0, 40));

  auto heap = std::make_unique<Account<T>>(begin);
  cilk_for (long i = 0; i < 40; ++i) heap->change(static_cast<T>(i), i);
  heap.reset();
  CHECK_EQ(Account<T>::last_total, begin + 780);

  Derived derived{{1, {2, 3, 4}}};
  auto *many = new Derived[5]();
  cilk_for (long i = 0; i < 60; ++i) {
    derived.sums[i % 3] += i;
    derived.more += 1;
    many[i % 5].sums[1] += i;
    many[i % 5].more -= 1;
  }
  CHECK_EQ(derived.sums[0] + derived.sums[1] + derived.sums[2], 9 + 59 * 30);
  CHECK_EQ(derived.more, 69);
  long sum = 0, more = 0;
  for (int i = 0; i < 5; ++i) sum += many[i].sums[1], more += many[i].more;
  CHECK_EQ(sum, 59 * 30);
  CHECK_EQ(more, 45 - 60);
  delete[] many;
}

// ---- templates, references, lambdas ----

template <class T, void (*Identity)(void *), void (*Reduce)(void *, void *)>
using Any = T cilk_reducer(Identity, Reduce);

template <class T>
NOINLINE T sum_of(const std::vector<T> &values) {
  cilk::opadd_reducer<T> sum = 0;
  Any<T, cilk::zero<T>, cilk::plus<T>> twice = 0;
  cilk_for (const T &value : values) sum += value, twice += 2 * value;
  CHECK(twice == 2 * sum);
  return sum;
}

NOINLINE void by_reference(cilk::opadd_reducer<long> &sum, long n) {
  cilk_for (long i = 0; i < n; ++i) sum += i;
}
NOINLINE cilk::opadd_reducer<long> &same(cilk::opadd_reducer<long> &sum) { return sum; }

NOINLINE void references() {
  cilk::opadd_reducer<long> sum = 1, several[3] = {};
  by_reference(sum, 100);
  cilk::opadd_reducer<long> &again = sum;
  auto *pointer = __builtin_addressof(sum);
  auto child = [&sum, pointer](long n) { sum += n, *pointer += n; };
  for (long i = 0; i < 20; ++i) cilk_spawn child(i);
  again += 3;
  same(sum) += 4;
  const long &view = sum;  // of this strand
  CHECK(&view == &sum);
  cilk_sync;
  CHECK_EQ(sum, 1 + 4950 + 380 + 7);
  cilk_for (int i = 0; i < 30; ++i) {
    for (auto &one : several) one += i;
  }
  for (long one : several) CHECK_EQ(one, 435);
  auto copy = [sum] { return sum; };  // its value
  sum = 0;
  CHECK_EQ(copy(), 1 + 4950 + 380 + 7);
  auto *made = new cilk::opadd_reducer<long>(5);
  cilk_for (int i = 0; i < 30; ++i) *made += i;
  CHECK_EQ(*made, 440);
  delete made;
}

// ---- types that name a hyperobject, and classes that refer to one ----

struct Refers {
  Text &text;
  cilk::opadd_reducer<long> *sum;
};
template <class T>
NOINLINE void alike(const T &begin) {
  cilk::opadd_reducer<T> sum = begin;
  decltype(sum) another = begin;
  __typeof__(sum) third = begin;
  cilk_for (long i = 0; i < 60; ++i) sum += 1, another += 2, third += 3;
  CHECK_EQ(sum, begin + 60);
  CHECK_EQ(another, begin + 120);
  CHECK_EQ(third, begin + 180);
}
NOINLINE void referring() {
  alike<long>(1);
  alike<int>(2);
  Text text = "begin,";
  cilk::opadd_reducer<long> sum = 0;
  cilk_spawn linger();
  const Refers refers{text, __builtin_addressof(sum)};  // maybe stolen: the view lies elsewhere
  for (long i = 0; i < 30; ++i) {
    cilk_spawn add(refers.text, i);
    *refers.sum += i;
  }
  cilk_sync;
  CHECK(text == "begin," + numbers(0, 30));
  CHECK_EQ(sum, 435);
}

NOINLINE std::string nested(long depth) {
  Text text = std::to_string(depth) + "(";
  if (depth > 0) {
    cilk_spawn [&text](long d) { text += nested(d - 1); }(depth);
    add(text, depth);
    text += nested(depth - 1);
    cilk_sync;
  }
  text += ")";
  return text;
}
std::string nested_serially(long depth) {
  std::string text = std::to_string(depth) + "(";
  if (depth > 0)
    text += nested_serially(depth - 1) + std::to_string(depth) + "," + nested_serially(depth - 1);
  return text + ")";
}

// ---- exceptions ----

NOINLINE void throws_at(Text &text, long n, long first) {
  add(text, n);
  if (n >= first && (n - first) % 2 == 0) throw n;
}
NOINLINE void left_by_exceptions() {
  for (long first = 0; first < 8; ++first) {
    Text text = "begin,";
    try {
      Text inner = "lost";
      for (long i = 0; i < 8; ++i) cilk_spawn throws_at(text, i, first);
      inner += text;
      cilk_sync;
    } catch (long n) {
      CHECK_EQ(n, first);
      text += "caught,";
    }
    CHECK(text == "begin," + numbers(0, first + 1) + "caught,");
  }
}

// ---- callbacks of the class, and in one object ----

struct Product : __reducer_base {
  long value = 1;
  std::size_t size() const override { return sizeof(Product); }
  Product *identity(void *view) override { return ::new (view) Product; }
  void reduce(__reducer_base *left, __reducer_base *right) override {
    static_cast<Product *>(left)->value *= static_cast<Product *>(right)->value;
  }
};
Product cilk_reducer() product;

__reducer_callbacks sums{sizeof(long), cilk::zero<long>, cilk::plus<long>};
template <__reducer_callbacks &Callbacks>
struct Counter {
  long cilk_reducer(Callbacks) count = 0;
};

NOINLINE void other_callbacks() {
  Counter<sums> counter;
  auto *pointer = __builtin_addressof(product);
  cilk_for (long i = 0; i < 60; ++i) {
    if (i % 4 == 0) product.value *= 2;
    if (i % 4 == 2) pointer->value *= 2;
    counter.count += i;
  }
  CHECK_EQ(product.value, 1L << 30);
  CHECK_EQ(counter.count, 59 * 30);
#ifndef CILK_SERIAL
  CHECK(__hyper_lookup_class(__builtin_addressof(product)) == &product);
#endif
}

NOINLINE void headers() {
  cilk::ostream_reducer<char> out(std::cout);
  cilk::holder<std::vector<long>> buffer;
  cilk_for (long i = 0; i < 60; ++i) {
    buffer.assign(3, i);
    CHECK_EQ(buffer.back(), i);
    out << i << ' ';
  }
  out << std::endl;
}

}  // namespace

int main() {
  for (long i = 0; i < 30; ++i) cilk_spawn add(global_text, i);
  cilk_sync;
  CHECK(global_text == "global:" + numbers(0, 30));
  aliases_of_members();
  variable_templates<long>();
  variable_templates<short>();
  instances();
  members<long>(10);
  members<short>(20);
  CHECK_EQ(sum_of(std::vector<int>(100, 3)), 300);
  CHECK(sum_of(std::vector<double>(100, 0.5)) == 50);
  references();
  referring();
  CHECK(nested(6) == nested_serially(6));
  left_by_exceptions();
  other_callbacks();
  headers();
  std::cout << global_text << std::endl;
}
