// Rows of "From Cilk Plus": what its users wrote, in C++.
// flags: -fcilkplus
#include <cilk/algorithm.h>
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/holder.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_opadd.h>

#include <list>
#include <numeric>
#include <string>
#include <vector>

#include "rows.h"

static void bump(cilk::reducer<cilk::op_add<long>> &sum) { *sum += 1; }

static void reducers() {
  // row: `cilk::reducer<cilk::op_add<long>> sum;`, `*sum += x;`, `sum.get_value()`
  cilk::reducer<cilk::op_add<long>> sum;
  cilk_for (int x = 0; x < 1000; ++x) *sum += x;
  CHECK(sum.get_value() == 499500);

  // row: `cilk::reducer_opadd<long>`, `cilk::reducer_list_append<T>` and the other older classes
  cilk::reducer_opadd<long> older;
  cilk::reducer_list_append<int> list;
  cilk_for (int i = 0; i < 100; ++i) {
    older += i;
    list.push_back(i);
  }
  bump(older);
  CHECK(older.get_value() == 4951);
  std::list<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(list.get_value() == expected);

  // row: `cilk::holder<T, cilk::holder_keep_last>`
  cilk::holder<std::string, cilk::holder_keep_last> last;
  cilk_for (int i = 0; i < 100; ++i) last() = std::to_string(i);
  CHECK(last() == "99");
}

static void arrays() {
  // row: `a[0:n] = b[0:n] + c[0:n]`
  const int n = 100;
  std::vector<int> a(n), b(n, 1), c(n, 2);
  cilk::transform(b.begin(), b.end(), c.begin(), a.begin(), std::plus<>{});
  CHECK(a == std::vector<int>(n, 3));
  for (int i = 0; i < n; ++i) a[i] = b[i] + c[i];
  CHECK(a == std::vector<int>(n, 3));

  // row: `__sec_reduce_add(a[0:n])`
  const int *first = a.data();
  CHECK(cilk::reduce(first, first + n) == 300);

  // row: `#pragma simd`
#pragma clang loop vectorize(enable)
  for (int i = 0; i < n; ++i) a[i] += 1;
  CHECK(a == std::vector<int>(n, 4));
}

static void library() {
  // row: `__cilkrts_set_param("nworkers", "4")`
  CHECK(__cilkrts_set_param("nworkers", "4") == __CILKRTS_SET_PARAM_SUCCESS);
  // row: `int n = __cilkrts_get_nworkers()`
  int n{__cilkrts_get_nworkers()};  // braces: no conversion that could lose anything
  CHECK(n == 4);

  // row: `cilk::aligned_new<T>(x)`, `cilk::aligned_delete(p)`
  struct alignas(64) Wide {
    int value;
    explicit Wide(int value) : value(value) {}
  };
  Wide *wide = cilk::aligned_new<Wide>(3), *plain = new Wide(3);
  CHECK(wide->value == plain->value && reinterpret_cast<unsigned long>(wide) % 64 == 0);
  cilk::aligned_delete(wide);
  delete plain;

  // row: `__cilkrts_synched()`
  int result = cilk_spawn std::stoi("5");
  n = std::stoi("6");
  cilk_sync;
  CHECK(result + n == 11);
}

int main() {
  library();
  reducers();
  arrays();
}
