// Calls all algorithms and reducers with types of a namespace that has a template of each name in
// names.inc, the names that the headers define. A call without `detail::` would consider it, and
// it does not compile. Neither would a `&` or `,` of such a type. For lookup_test.py.

#include <cilk/algorithm.h>
#include <cilk/cluster/wire.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>

#include <deque>
#include <list>
#include <memory_resource>
#include <set>
#include <vector>

namespace user {

template <class...>
inline constexpr bool kNever = false;
template <class T, class... Arguments>
struct greedy {
  static_assert(kNever<T>, "a function of the user's namespace is considered");
  using type = T;
};
#define NOPAL_GREEDY(name)                                         \
  template <class... Arguments>                                    \
  typename greedy<void, Arguments...>::type name(Arguments &&...); \
  template <class T, class... Arguments>                           \
  typename greedy<T, Arguments...>::type name(Arguments &&...);    \
  template <class T, bool, class... Arguments>                     \
  typename greedy<T, Arguments...>::type name(Arguments &&...);    \
  template <bool, class... Arguments>                              \
  typename greedy<void, Arguments...>::type name(Arguments &&...);
#include "names.inc"

struct Number {
  long value = 0;
  Number() = default;
  Number(long v) : value(v) {}
  Number &operator+=(const Number &other) {
    value += other.value;
    return *this;
  }
  friend Number operator+(const Number &x, const Number &y) { return {x.value + y.value}; }
  friend bool operator<(const Number &x, const Number &y) { return x.value < y.value; }
  void operator&() const = delete;
  template <class T>
  void operator,(const T &) const = delete;
};
struct Add {
  void operator&() const = delete;
  Number operator()(const Number &x, const Number &y) const { return x + y; }
};
struct AddInPlace {
  static Number identity() { return {}; }
  static void reduce(Number &x, Number &y) { x += y; }
};
struct Less {
  bool operator()(const Number &x, const Number &y) const { return x < y; }
};
struct IsOdd {
  bool operator()(const Number &x) const { return x.value % 2 != 0; }
};
struct Negate {
  void operator&() const = delete;
  Number operator()(const Number &x) const { return {-x.value}; }
};
struct Clear {
  void operator()(Number &x) const { x = Number(); }
  void operator()() const {}
};
struct Other {
  std::vector<Number> numbers;
  void save(cilk::wire &out) const { cilk::put(out, numbers); }
  void load(cilk::wire &in) { cilk::get(in, numbers); }
};

template <class Range, class Op>
void calls(Range &in, Range &out, Op op) {
  const auto first = in.begin(), last = in.end();
  const auto to = out.begin();
  cilk::invoke(Clear(), Clear());
  cilk::for_each(first, last, Clear());
  cilk::for_each(in, Clear());
  cilk::transform(first, last, to, Negate());
  cilk::transform(in, to, Negate());
  cilk::transform(first, last, first, to, Add());
  cilk::transform(in, in, to, Add());
  cilk::reduce(first, last);
  cilk::reduce(in, Number(), op);
  cilk::transform_reduce(first, last, Number(), op, Negate());
  cilk::transform_reduce(in, Number(), op, Negate());
  cilk::transform_reduce(first, last, first, Number(), op, Add());
  cilk::transform_reduce(in, in, Number(), op, Add());
  cilk::count_if(in, IsOdd());
  cilk::find_if(in, IsOdd());
  cilk::inclusive_scan(first, last, to, op);
  cilk::inclusive_scan(in, to, op, Number());
  cilk::exclusive_scan(first, last, to, Number(), op);
  cilk::exclusive_scan(in, to, Number(), op);
  cilk::sort(first, last, Less());
  cilk::sort(in);
  cilk::stable_sort(first, last, Less());
  cilk::stable_sort(in);
  cilk::merge(first, last, first, last, to, Less());
  cilk::merge(in, in, to);
  cilk::partition(first, last, IsOdd());
  cilk::partition(in, IsOdd());
}

template <class Reducer>
void uses(Reducer &reducer) {
  *reducer;
  (void)reducer.get_value();
  (void)reducer.view();
}
template <class T, class Op>
void reducers_of() {
  cilk::reducer<T, Op> reducer, other{T()};
  uses(reducer);
  other.set_value(T());
  (void)other.take();
}
template <class Monoid>
void monoids_of() {
  typename Monoid::value_type value{};
  cilk::reducer<Monoid> reducer, other(cilk::move_in(value));
  uses(reducer);
  other.move_in(value);
  other.move_out(value);
  other.set_value(value);
}

void all() {
  std::vector<Number> numbers, results;
  calls(numbers, results, Add());
  calls(numbers, results, AddInPlace());
  std::deque<Number> spread, spread_results;
  calls(spread, spread_results, Add());

  reducers_of<Number, AddInPlace>();
  reducers_of<Number, std::plus<>>();
  reducers_of<std::vector<Number>, cilk::append>();
  reducers_of<std::vector<Other>, cilk::prepend>();
  reducers_of<std::pmr::vector<Number>, cilk::append>();
  reducers_of<std::pmr::list<Number>, cilk::prepend>();
  reducers_of<std::set<Number>, cilk::unite>();
  reducers_of<std::pmr::set<Number>, cilk::unite>();
  cilk::reducer by_function(cilk::monoid_of(Number(), Add()));
  uses(by_function);
  monoids_of<cilk::op_add<Number>>();
  monoids_of<cilk::op_vector<Number>>();
  monoids_of<cilk::op_list_append<Number>>();
  monoids_of<cilk::op_list_prepend<Number>>();
  cilk::reducer<cilk::op_max<Number>> highest{Number()};
  cilk::reducer<cilk::op_min_index<int, Number>> lowest(0, Number());
  highest->calc_max(Number(1));
  lowest->calc_min(1, Number(1));
  *highest = cilk::max_of(*highest, Number(2));
  uses(highest);
  uses(lowest);
  cilk::reducer_opadd<Number> sum;
  sum += Number(1);
  sum = sum + Number(1);

  cilk::wire wire;
  cilk::put(wire, std::vector<Other>());
  (void)cilk::get<std::vector<Other>>(wire);
}

}  // namespace user
