// Features of Cilk Plus' reducers in its documents, beyond the common uses of cilk_plus.cpp:
// constructors, comparators, the older classes in place of the newer ones and the reverse, and
// monoids that construct their first view themselves.

namespace cilk {
class reducer_ostream;
}
void write(cilk::reducer_ostream &out, int n);  // before the class is known

#include <cilk/cilk.h>
#include <cilk/common.h>
#include <cilk/hyperobject_base.h>
#include <cilk/reducer_file.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>

#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../support/check.h"

namespace {

constexpr int kCount = 100;

int number(int i) { return i * 37 % kCount; }

// ---- the first view ----

// A monoid with an identity that the view's constructor does not make.
class Product : public cilk::monoid_base<int> {
 public:
  explicit Product(int modulus = 1009) : modulus_(modulus) {}
  void identity(int *view) const { *view = 1; }
  void reduce(int *left, int *right) const { *left = *left * *right % modulus_; }

 private:
  int modulus_;
};

// A monoid that constructs itself from its first view: a view of another length than it says.
struct Digits {
  std::vector<int> counts;
};
class Histogram : public cilk::monoid_base<Digits> {
 public:
  explicit Histogram(std::size_t size) : size_(size) {}
  static void construct(Histogram *monoid, Digits *view, int size) {
    cilk::provisional_guard<Digits> guard(new (static_cast<void *>(view)) Digits());
    view->counts.resize(static_cast<std::size_t>(size));
    guard.confirm_if(new (static_cast<void *>(monoid)) Histogram(view->counts.size()));
  }
  void identity(Digits *view) const {
    new (static_cast<void *>(view)) Digits{std::vector<int>(size_)};
  }
  static void reduce(Digits *left, Digits *right) {
    for (std::size_t i = 0; i < left->counts.size(); ++i) left->counts[i] += right->counts[i];
  }

 private:
  std::size_t size_;
};

// A view that can only be assigned to.
struct SetView : cilk::scalar_view<std::set<int>> {
  void insert(int x) { view_get_reference().insert(x); }
  void reduce(SetView *right) { m_value.merge(right->m_value); }
};

void first_views() {
  cilk::reducer<Product> by_default, again((Product(10)));
  Product seven(7);
  cilk::reducer<Product> copied(seven), with_value(Product(1009), 5);
  CHECK_EQ(by_default.get_value(), 1);
  CHECK_EQ(again.get_value(), 1);
  CHECK_EQ(copied.get_value(), 1);
  cilk::reducer<Histogram> digits(10);
  std::set<int> given{-1};
  cilk::reducer<cilk::monoid_with_view<SetView>> set(cilk::move_in(given));
  CHECK(given.empty());
  cilk_for (int i = 0; i < kCount; ++i) {
    *by_default = *by_default * 3 % 1009;
    *again = *again * 3 % 10;
    *copied = *copied * 3 % 7;
    *with_value = *with_value * 3 % 1009;
    ++digits->counts[static_cast<std::size_t>(i % 10)];
    set->insert(i % 5);
  }
  int power = 1;
  for (int i = 0; i < kCount; ++i) power = power * 3 % 1009;
  CHECK_EQ(by_default.get_value(), power);
  CHECK_EQ(with_value.get_value(), 5 * power % 1009);
  CHECK_EQ(again.get_value(), 1);   // 3^4 = 1 modulo 10
  CHECK_EQ(copied.get_value(), 4);  // 3^6 = 1 modulo 7, so 3^4
  for (int count : digits.get_value().counts) CHECK_EQ(count, kCount / 10);
  CHECK_EQ(set.get_value().size(), 6);

  const Product monoid;
  void *memory = monoid.allocate(100);
  monoid.deallocate(memory);
  static_assert(!cilk::op_add<int>::align_reducer && cilk::op_add<int, true>::align_reducer);
}

// ---- older classes and newer ones ----

void add(cilk::reducer<cilk::op_add<int>> &sum, int n) { *sum += n; }
void add_older(cilk::reducer_opadd<int> &sum, int n) { sum += n; }
int sum_of(const cilk::reducer<cilk::op_add<int>> &sum) { return sum.get_value(); }
int sum_of_older(const cilk::reducer_opadd<int> &sum) { return sum.get_value(); }
template <class Newer, class Older>
constexpr bool kConvert = std::is_convertible_v<cilk::reducer<Newer> &, Older &> &&
                          std::is_convertible_v<const cilk::reducer<Newer> &, const Older &> &&
                          std::is_convertible_v<Older &, cilk::reducer<Newer> &> &&
                          std::is_convertible_v<const Older &, const cilk::reducer<Newer> &>;
static_assert(kConvert<cilk::op_add<int>, cilk::reducer_opadd<int>>);
static_assert(kConvert<cilk::op_add<int, true>, cilk::reducer_opadd<int>>);
static_assert(kConvert<cilk::op_mul<int>, cilk::reducer_opmul<int>>);
static_assert(kConvert<cilk::op_and<int>, cilk::reducer_opand<int>>);
static_assert(kConvert<cilk::op_or<int>, cilk::reducer_opor<int>>);
static_assert(kConvert<cilk::op_xor<int>, cilk::reducer_opxor<int>>);
static_assert(kConvert<cilk::op_max<int>, cilk::reducer_max<int>>);
static_assert(kConvert<cilk::op_min<int>, cilk::reducer_min<int>>);
static_assert(kConvert<cilk::op_max_index<int, long>, cilk::reducer_max_index<int, long>>);
static_assert(kConvert<cilk::op_min_index<int, long>, cilk::reducer_min_index<int, long>>);
static_assert(kConvert<cilk::op_list_append<int>, cilk::reducer_list_append<int>>);
static_assert(kConvert<cilk::op_list_prepend<int>, cilk::reducer_list_prepend<int>>);
static_assert(kConvert<cilk::op_string, cilk::reducer_string>);
static_assert(kConvert<cilk::op_wstring, cilk::reducer_wstring>);
static_assert(kConvert<cilk::op_ostream, cilk::reducer_ostream>);
static_assert(!std::is_copy_constructible_v<cilk::reducer<cilk::op_add<int>>>);
static_assert(!std::is_copy_assignable_v<cilk::reducer_opadd<int>>);

void conversions() {
  cilk::reducer<cilk::op_add<int>> newer = 5;
  cilk::reducer<cilk::op_add<int>> listed = {6};
  cilk::reducer_opadd<int> older(7);
  cilk_for (int i = 0; i < kCount; ++i) {
    add(newer, i);
    add(older, i);
    add_older(newer, i);
    add_older(older, i);
  }
  CHECK(sum_of(newer) == 5 + 9900 && sum_of(older) == 7 + 9900);
  CHECK(sum_of_older(newer) == 5 + 9900 && sum_of_older(older) == 7 + 9900);
  CHECK_EQ(listed.get_value(), 6);
  CHECK_EQ(older.get_reference(), 7 + 9900);

  auto *apart = cilk::aligned_new<cilk::reducer_opadd<int>>(3);
  add(*apart, 1);
  CHECK_EQ(apart->get_value(), 4);
  cilk::aligned_delete(apart);
}

void older_classes() {
  cilk::reducer_opadd<int> sum;
  cilk::reducer_opmul<unsigned> product;
  cilk::reducer_opand<unsigned> all;
  cilk::reducer_opor<unsigned> any;
  cilk::reducer_opxor<unsigned> odd;
  cilk::reducer_max<int> highest;
  cilk::reducer_min<double> lowest(1e9);
  cilk::reducer_max_index<int, int> where;
  cilk::reducer_min_index<int, int> first(-1, 4, std::less<int>());
  cilk_for (int i = 0; i < kCount; ++i) {
    const unsigned u = static_cast<unsigned>(i);
    sum = sum + i - 1;
    product = product * (2 * u + 1);
    all = all & ~(u % 3);
    any = any | u;
    odd = odd ^ u ^ 1u;
    highest = cilk::max_of(highest, number(i));
    lowest = cilk::min_of(cilk::min_of(number(i) + 1, lowest), number(i) + 2);
    where = cilk::max_of(where, i, number(i) / 2);
    first = cilk::min_of(i, number(i) / 4, first);
  }
  unsigned expected_product = 1, expected_odd = 0;
  int at = 0;
  for (unsigned u = 0; u < kCount; ++u) {
    expected_product *= 2 * u + 1;
    expected_odd ^= u ^ 1u;
    if (number(static_cast<int>(u)) / 2 > number(at) / 2) at = static_cast<int>(u);
  }
  CHECK_EQ(sum.get_value(), 4950 - kCount);
  CHECK_EQ(product.get_value(), expected_product);
  CHECK_EQ(all.get_value(), ~3u);
  CHECK_EQ(any.get_value(), 127);
  CHECK_EQ(odd.get_value(), expected_odd);
  CHECK_EQ(highest.get_value(), 99);
  CHECK(lowest.get_value() == 1 && lowest.get_reference() == 1);
  CHECK(where.get_index() == at && where.get_value() == 49);
  CHECK(first.get_index() == 0 && first.get_value() == 0);

  const cilk::reducer_opadd<int> &read = sum;
  const cilk::reducer_max<int> &read_highest = highest;
  CHECK((*read).get_value() == 4950 - kCount && read->get_value() == 4950 - kCount);
  CHECK((*read_highest).is_set() && read_highest->get_reference() == 99);
  cilk::reducer_list_append<int> list(std::list<int>{1, 2});
  list.get_reference().push_front(0);
  cilk::reducer_string text(3, 'x');
  text.get_reference() += "y";
  const auto &read_list = list;
  const auto &read_text = text;
  CHECK((*read_list).get_reference().size() == 3 && read_text->get_reference() == "xxxy");
}

// ---- constructors ----

void sequences() {
  const int numbers[] = {1, 2, 3};
  const std::list<int> given{4, 5};
  cilk::reducer<cilk::op_list_append<int>> sevens(3, 7), of_range(numbers, numbers + 3), zeros(2),
      copied(given);
  cilk::reducer<cilk::op_list_prepend<int>> before(2, 8);
  cilk::reducer<cilk::op_vector<int>> vector(3, 9), vector_of_range(given.begin(), given.end());
  cilk::reducer<cilk::op_string> dots(3, '.'), of_letters("abcdef", 2),
      of_string(std::string("abcdef"), 2, 3);
  cilk::reducer<cilk::op_string> of_text = "text";
  cilk::reducer_string older(given.begin(), given.end()), older_text = "older";
  CHECK(sevens.get_value() == std::list<int>(3, 7) && zeros.get_value() == std::list<int>(2));
  CHECK((of_range.get_value() == std::list<int>{1, 2, 3}) && copied.get_value() == given);
  CHECK(vector.get_value() == std::vector<int>(3, 9) && vector_of_range.get_value()[1] == 5);
  CHECK(dots.get_value() == "..." && of_letters.get_value() == "ab");
  CHECK(of_string.get_value() == "cde" && of_text.get_value() == "text");
  CHECK(older.get_value() == "\4\5" && older_text.get_value() == "older");

  cilk_for (int i = 0; i < kCount; ++i) {
    std::list<int> more{-1, i, i, -1, -2};
    sevens->splice_back(more, std::next(more.begin()));
    sevens->splice_back(more, std::next(more.begin()), std::prev(more.end(), 2));
    CHECK_EQ(more.size(), 3);
    before->splice_front(more, std::prev(more.end()));
    before->splice_front(more, more.begin(), more.end());
  }
  CHECK(sevens.get_value().size() == 3 + 2 * kCount && sevens.get_value().back() == kCount - 1);
  CHECK(before.get_value().size() == 2 + 3 * kCount && before.get_value().back() == 8);
  int n = 0;
  for (int i : sevens.get_value()) {
    if (n >= 3) CHECK_EQ(i, (n - 3) / 2);
    ++n;
  }
}

// An allocator with state: memory of one is not another's.
template <class T>
struct Pool {
  using value_type = T;
  int tag;
  explicit Pool(int tag = 0) : tag(tag) {}
  template <class U>
  Pool(const Pool<U> &from) : tag(from.tag) {}
  T *allocate(std::size_t n) { return std::allocator<T>().allocate(n); }
  void deallocate(T *memory, std::size_t n) { std::allocator<T>().deallocate(memory, n); }
  template <class U>
  bool operator==(const Pool<U> &other) const {
    return tag == other.tag;
  }
  template <class U>
  bool operator!=(const Pool<U> &other) const {
    return tag != other.tag;
  }
};

void allocators() {
  cilk::reducer<cilk::op_list_append<int, Pool<int>>> list(Pool<int>(3));
  cilk::reducer<cilk::op_vector<int, Pool<int>>> vector(2, 0, Pool<int>(4));
  const cilk::op_list_prepend<int, Pool<int>> monoid(Pool<int>(5));
  cilk::reducer<cilk::op_list_prepend<int, Pool<int>>> reversed(monoid);
  cilk_for (int i = 0; i < kCount; ++i) {
    std::list<int, Pool<int>> others({i, i}, Pool<int>(9));
    list->splice_back(others);
    vector->push_back(i);
    reversed->push_front(i);
    CHECK(others.empty());
    CHECK(list->get_allocator().tag == 3 && vector->get_allocator().tag == 4);
    CHECK_EQ(reversed->get_allocator().tag, 5);
  }
  CHECK(list.get_value().size() == 2 * kCount && vector.get_value().size() == 2 + kCount);
  CHECK(reversed.get_value().size() == kCount && reversed.get_value().front() == kCount - 1);
}

// ---- comparators ----

bool is_less(const int &x, const int &y) { return x % 10 < y % 10; }
struct ByRest {
  int modulus;
  bool operator()(int x, int y) const { return x % modulus < y % modulus; }
};

template <class Compare>
void check_comparator(const Compare &compare) {
  using std::pair;
  int given = 3;
  pair<int, int> given_pair(-1, 3);
  cilk::reducer<cilk::op_max<int, Compare>> by_compare(compare), by_value(5, compare),
      by_move(cilk::move_in(given), compare), by_monoid((cilk::op_max<int, Compare>(compare)));
  cilk::reducer<cilk::op_min<int, Compare>> lowest(compare);
  cilk::reducer<cilk::op_max_index<int, int, Compare>> where(compare), from(-1, 5, compare),
      by_pair(pair(-1, 5), compare), default_index(-7, compare),
      moved(cilk::move_in(given_pair), compare);
  cilk::reducer<cilk::op_min_index<int, int, Compare>> first(compare);
  cilk::reducer_max<int, Compare> older(compare), older_value(5, compare);
  cilk::reducer_min_index<int, int, Compare> older_index(compare), older_from(-1, 9, compare);
  CHECK(!by_compare->is_set() && by_value->is_set() && by_move.get_value() == 3);
  CHECK(from->get_index() == -1 && by_pair->get_reference() == 5 && moved->get_index() == -1);
  CHECK(!default_index->is_set() && default_index->get_index_reference() == -7);
  cilk_for (int i = 0; i < kCount; ++i) {
    by_compare->calc_max(number(i));
    by_value->calc_max(number(i));
    *by_move = cilk::max_of(cilk::max_of(*by_move, number(i)), number(i) + 1);
    *by_monoid = cilk::max_of(number(i), cilk::max_of(number(i) + 1, *by_monoid));
    lowest->calc_min(number(i) + 3);
    where->calc_max(i, number(i));
    from->calc_max(pair(i, number(i)));
    *by_pair = cilk::max_of(*by_pair, pair(i, number(i)));
    *default_index = cilk::max_of(pair(i, number(i)), *default_index);
    *moved = cilk::max_of(cilk::max_of(*moved, i, number(i)), pair(i, number(i)));
    *first = cilk::min_of(i, number(i), cilk::min_of(i, number(i) + 1, *first));
    older.calc_max(number(i));
    older_value = cilk::max_of(older_value, number(i));
    older_index.calc_min(i, number(i));
    older_from = cilk::min_of(older_from, i, number(i));
  }
  int high = number(0), low = number(0) + 3, at = 0, first_at = 0, best = 3;
  for (int i = 0; i < kCount; ++i) {
    if (compare(high, number(i))) high = number(i);
    if (compare(number(i) + 3, low)) low = number(i) + 3;
    if (compare(number(at), number(i))) at = i;
    if (compare(number(i), number(first_at))) first_at = i;
    if (compare(best, number(i))) best = number(i);
    if (compare(best, number(i) + 1)) best = number(i) + 1;
  }
  CHECK(by_compare.get_value() == high && by_value.get_value() == high);
  CHECK_EQ(by_move.get_value(), best);
  CHECK_EQ(lowest.get_value(), low);
  CHECK(!compare(by_monoid.get_value(), high));
  CHECK(where.get_value() == pair(at, high) && from.get_value() == pair(at, high));
  CHECK(by_pair.get_value() == pair(at, high) && default_index.get_value() == pair(at, high));
  CHECK(moved.get_value() == pair(at, high));
  CHECK_EQ(first->get_index(), first_at);
  CHECK(older.get_value() == high && older_value.get_value() == high);
  CHECK(older_index.get_index() == first_at && older_from.get_index() == first_at);
}

void comparators() {
  check_comparator(&is_less);
  check_comparator(ByRest{10});
  check_comparator([](int x, int y) { return x % 10 < y % 10; });
  cilk::reducer<cilk::op_max<int, bool(const int &, const int &)>> by_function(is_less);
  by_function->calc_max(19).calc_max(27).calc_max(29);
  CHECK_EQ(by_function.get_value(), 19);
}

void indices() {
  cilk::reducer<cilk::op_max_index<std::string, unsigned>> named("none"), later;
  cilk::reducer<cilk::op_min_index<int, int>> unset;
  later->set_default_index("nothing");
  unset->set_default_index(-1);
  CHECK(!named->is_set() && !later->is_set() && !unset->is_set());
  CHECK(named.get_value().first == "none" && later->get_index() == "nothing");
  CHECK_EQ(unset.get_value().first, -1);
  cilk_for (int i = 0; i < kCount; ++i) {
    if (i >= 50) named->calc_max(std::to_string(i), 0u);
    if (i >= 50) *later = cilk::max_of(*later, std::string("x"), 0u);
  }
  CHECK(named->get_index() == "50" && later->get_index() == "x" && unset->get_index() == -1);
}

}  // namespace

NOINLINE void write(cilk::reducer_ostream &out, int n) {
  linger();
  out << n << ' ';
}

int main() {
  first_views();
  conversions();
  older_classes();
  sequences();
  allocators();
  comparators();
  indices();
  std::ostringstream kept;
  {
    cilk::reducer<cilk::op_ostream> newer(kept);
    for (int i = 0; i < 20; ++i) cilk_spawn write(newer, i);
    cilk_sync;
  }
  puts(kept.str().c_str());
}
