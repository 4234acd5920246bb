// Reducers of our own library wherever an object may stand, with operations that do not commute:
// local, global, member, array on the heap, made and destroyed in stolen strands; in recursion,
// loops, scopes and regions that an exception leaves. The value is the serial one at each sync.

#include <cilk/cilk.h>
#include <cilk/reducer.h>

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "../support/check.h"

namespace {

using Text = cilk::reducer<std::string, cilk::append>;
using Sum = cilk::reducer<long, std::plus<>>;

static_assert(cilk::is_monoid_v<cilk::minimum, int> &&
              cilk::is_monoid_v<cilk::append, std::string>);
static_assert(!cilk::is_monoid_v<cilk::minimum, std::string> && !cilk::is_monoid_v<int, int>);

NOINLINE void add(Text &text, long n) {
  if (n % 5 == 0) linger();
  *text += std::to_string(n) + ",";
}

std::string numbers(long from, long to) {
  std::string text;
  for (long i = from; i < to; ++i) text += std::to_string(i) + ",";
  return text;
}

// ---- where it may stand ----

Text global_text("global:");

NOINLINE void global_loop() {
  for (long i = 0; i < 30; ++i) cilk_spawn add(global_text, i);
  cilk_sync;
  CHECK(*global_text == "global:" + numbers(0, 30));
}

struct Document {
  int before = 1;
  Text title, body;
  Sum words;
  NOINLINE void fill() {
    cilk_for (long i = 0; i < 40; ++i) {
      add(i % 2 == 0 ? title : body, i);
      *words += i;
    }
  }
};

NOINLINE void member() {
  Document document;
  document.fill();
  CHECK_EQ(*document.words, 39 * 40 / 2);
  std::string even, odd;
  for (long i = 0; i < 40; ++i) (i % 2 == 0 ? even : odd) += std::to_string(i) + ",";
  CHECK(*document.title == even && *document.body == odd);
}

NOINLINE void array_on_the_heap() {
  const long count = 3000;
  const auto sums = std::make_unique<Sum[]>(count);
  cilk_for (long i = 0; i < 20 * count; ++i) *sums[i % count] += i;
  long total = 0;
  for (long i = 0; i < count; ++i) total += *sums[i];
  CHECK_EQ(total, 20 * count * (20 * count - 1) / 2);
}

// Each call has its own, in whatever strand it runs.
NOINLINE std::string nested(long depth) {
  Text text(std::to_string(depth) + "(");
  if (depth > 0) {
    cilk_spawn [&text](long d) { *text += nested(d - 1); }(depth);
    add(text, depth);
    *text += nested(depth - 1);
    cilk_sync;
  }
  *text += ")";
  return text.take();
}
std::string nested_serially(long depth) {
  std::string text = std::to_string(depth) + "(";
  if (depth > 0)
    text += nested_serially(depth - 1) + std::to_string(depth) + "," + nested_serially(depth - 1);
  return text + ")";
}

NOINLINE void walk(Text &text, long low, long high) {
  if (high - low == 1) return add(text, low);
  const long middle = (low + high) / 2;
  cilk_spawn walk(text, low, middle);
  walk(text, middle, high);
  cilk_sync;
}

// ---- regions ----

NOINLINE void inner_regions() {
  Text text;
  cilk_spawn add(text, 0);
  cilk_scope {
    cilk_spawn add(text, 1);
    add(text, 2);
  }
  for (long i = 3; i < 6; ++i) {
    cilk_spawn add(text, i);
    if (i == 4) cilk_sync;
  }
  cilk_sync;
  CHECK(*text == numbers(0, 6));
}

NOINLINE void throws_at(Text &text, long n, long first) {
  add(text, n);
  if (n >= first && (n - first) % 2 == 0) throw n;
}

NOINLINE void until(Text &text, long first) {
  try {
    for (long i = 0; i < 12; ++i) cilk_spawn throws_at(text, i, first);
    *text += "end,";
    cilk_sync;
    *text += "sync,";
  } catch (long n) {
    CHECK_EQ(n, first);
    *text += "caught,";
  }
}
NOINLINE void left_by_exceptions() {
  for (long first = 0; first < 12; ++first) {
    Text text("begin,");
    until(text, first);
    CHECK(*text == "begin," + numbers(0, first + 1) + "caught,");
  }
  Text text;
  until(text, 12);
  CHECK(*text == numbers(0, 12) + "end,sync,");
}

// ---- operations ----

NOINLINE void operations() {
  cilk::reducer<std::list<long>, cilk::prepend> reversed;
  cilk::reducer<std::set<long>, cilk::unite> set;
  cilk::reducer<std::map<long, long>, cilk::unite> first_of;
  cilk::reducer<long, cilk::minimum> lowest;
  cilk::reducer<double, cilk::maximum> highest;
  cilk::reducer<unsigned, std::bit_xor<>> bits(1u);
  cilk::reducer<bool, std::logical_and<>> all;
  cilk::reducer last(cilk::monoid_of(-1L, [](long x, long y) { return y < 0 ? x : y; }));
  cilk::scratch<std::vector<long>> buffer;
  cilk_for (long i = 0; i < 200; ++i) {
    reversed->push_front(i);
    set->insert(i % 17);
    first_of->emplace(i % 10, i);
    if (i * 7 % 200 < *lowest) *lowest = i * 7 % 200;
    if (static_cast<double>(i) > *highest) *highest = static_cast<double>(i);
    *bits ^= static_cast<unsigned>(i);
    *all = *all && i >= 0;
    *last = i;
    buffer->assign(10, i);
    CHECK_EQ(buffer->back(), i);
  }
  long expected = 199;
  for (long n : *reversed) CHECK_EQ(n, expected--);
  CHECK_EQ(set->size(), 17);
  for (const auto &[key, value] : *first_of) CHECK_EQ(value, key);
  CHECK_EQ(*lowest, 0);
  CHECK_EQ(*highest, 199);
  CHECK_EQ(*bits, 1);
  CHECK(*all);
  CHECK_EQ(*last, 199);
}

// ---- values with an allocator, which the views' values do not have ----

struct Arena : std::pmr::memory_resource {
  long live = 0;
  void *do_allocate(std::size_t bytes, std::size_t) override {
    __atomic_fetch_add(&live, bytes, __ATOMIC_RELAXED);
    return ::operator new(bytes);
  }
  void do_deallocate(void *memory, std::size_t bytes, std::size_t) override {
    __atomic_fetch_sub(&live, bytes, __ATOMIC_RELAXED);
    ::operator delete(memory);
  }
  bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override {
    return this == &other;
  }
};

template <class Op, class T, class Add>
NOINLINE T filled(Arena &arena, Add add) {
  cilk::reducer<T, Op> values{T(&arena)};
  for (int i = 0; i < 40; ++i)
    cilk_spawn [&values, add](int number) {
      if (number % 7 == 0) linger();
      add(*values, number);
    }(i);
  cilk_sync;
  return T(*values, &arena);
}

NOINLINE void unequal_allocators() {
  Arena arena;
  {
    const auto back = [](auto &values, int i) { values.push_back(i); };
    const auto front = [](auto &values, int i) { values.insert(values.begin(), i); };
    const auto with_key = [](auto &values, int i) { values.emplace(i % 9, std::to_string(i)); };
    const auto vector = filled<cilk::append, std::pmr::vector<int>>(arena, back);
    const auto list = filled<cilk::append, std::pmr::list<int>>(arena, back);
    const auto reverse = filled<cilk::prepend, std::pmr::vector<int>>(arena, front);
    const auto map = filled<cilk::unite, std::pmr::map<int, std::string>>(arena, with_key);
    CHECK(vector.size() == 40 && list.size() == 40 && reverse.size() == 40 && map.size() == 9);
    for (int i = 0; i < 40; ++i) CHECK(vector[i] == i && reverse[39 - i] == i);
    CHECK(std::equal(list.begin(), list.end(), vector.begin()));
    for (int i = 0; i < 9; ++i) CHECK(map.at(i) == std::to_string(i));
  }
  CHECK_EQ(arena.live, 0);
}

// ---- sets and maps whose comparator or hash has state, which the views' values need ----

bool is_higher(int x, int y) { return x > y; }

class By {
 public:
  explicit By(bool (&compare)(int, int)) : compare_(&compare) {}
  bool operator()(int x, int y) const { return compare_(x, y); }

 private:
  bool (*compare_)(int, int);
};
struct Modulo {
  int modulus = 1;  // all are one
  bool operator()(int x, int y) const { return x % modulus < y % modulus; }
};
struct ModuloHash {
  int modulus = 1;
  std::size_t operator()(int x) const { return static_cast<std::size_t>(x % modulus); }
};
struct ModuloEqual {
  int modulus = 1;
  bool operator()(int x, int y) const { return x % modulus == y % modulus; }
};

/// T has keys, and the value of each says where it was found.
template <class T>
NOINLINE T first_of_each(T value) {
  cilk::reducer<T, cilk::unite> found(std::move(value));
  for (int i = 0; i < 40; ++i)
    cilk_spawn [&found](int number) {
      if (number % 7 == 0) linger();
      found->emplace(number * 3 % 20, std::make_unique<int>(number));
      found->emplace(number * 3 % 20 + 1, std::make_unique<int>(number));
    }(i);
  cilk_sync;
  T all = found.take();
  CHECK(found->empty());
  cilk_for (int i = 0; i < 42; ++i) found->emplace(i % 21, nullptr);
  CHECK_EQ(found->size(), all.size());
  return all;
}

NOINLINE void comparators_with_state() {
  using Place = std::unique_ptr<int>;
  const auto down = first_of_each(std::map<int, Place, bool (*)(int, int)>(is_higher));
  const auto also = first_of_each(std::map<int, Place, By>(By(is_higher)));
  const auto third = first_of_each(std::map<int, Place, std::function<bool(int, int)>>(is_higher));
  CHECK_EQ(down.size(), 21);
  int key = 20;
  for (const auto &each : down) {
    CHECK_EQ(each.first, key--);
    CHECK_EQ(*each.second, *also.at(each.first));
    CHECK_EQ(*each.second, *third.at(each.first));
  }
  const auto by_order = first_of_each(std::map<int, Place, Modulo>(Modulo{5}));
  using Hashed = std::unordered_map<int, Place, ModuloHash, ModuloEqual>;
  const auto by_hash = first_of_each(Hashed(7, ModuloHash{5}, ModuloEqual{5}));
  CHECK(by_order.size() == 5 && by_hash.size() == 5);
  for (const auto &each : by_order) CHECK_EQ(*each.second, *by_hash.at(each.first));
}

/// An empty class whose objects cannot be made at compile time.
struct Plus {
  explicit Plus(int) {}
  long identity() const { return 0; }
  void reduce(long &left, long &right) const { left += right; }
};

NOINLINE void empty_operation() {
  cilk::reducer<long, Plus> sum(Plus(1));
  cilk_for (long i = 0; i < 1000; ++i) *sum += i;
  CHECK_EQ(*sum, 999 * 1000 / 2);
}

}  // namespace

int main() {
  global_loop();
  member();
  array_on_the_heap();
  CHECK(nested(7) == nested_serially(7));
  Text text;
  walk(text, 0, 200);
  CHECK(*text == numbers(0, 200));
  inner_regions();
  left_by_exceptions();
  operations();
  unequal_allocators();
  comparators_with_state();
  empty_operation();
  puts(global_text->c_str());
  puts(text->c_str());
}
