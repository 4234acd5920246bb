// Rows of "From oneTBB": both sides of each, which give the same.
// flags: -ltbb
#include <cilk/algorithm.h>
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer.h>
#include <tbb/tbb.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "rows.h"

static const int n = 1000;
using Numbers = std::vector<long>;
static long f(long x) { return 3 * x % 1001; }

static Numbers numbers() {
  Numbers result(n);
  for (int i = 0; i < n; ++i) result[i] = f(i);
  return result;
}

static void loops() {
  Numbers a(n), b(n);
  // row: `tbb::parallel_for(0, n, [&](int i) { f(i); })`
  tbb::parallel_for(0, n, [&](int i) { a[i] = f(i); });
  cilk_for (int i = 0; i < n; ++i) b[i] = f(i);
  CHECK(a == b);

  // row: `tbb::blocked_range<int>(0, n, 64)`
  tbb::parallel_for(tbb::blocked_range<int>(0, n, 64), [&](const tbb::blocked_range<int> &range) {
    for (int i = range.begin(); i != range.end(); ++i) a[i] = f(a[i]);
  });
#pragma cilk grainsize 64
  cilk_for (int i = 0; i < n; ++i) b[i] = f(b[i]);
  CHECK(a == b);

  // row: `tbb::parallel_for_each(v, f)`
  Numbers c = b;
  tbb::parallel_for_each(a, [](long &x) { x = f(x); });
  cilk_for (auto &x : b) x = f(x);
  cilk::for_each(c, [](long &x) { x = f(x); });
  CHECK(a == b && a == c);
}

static void children() {
  long a[2], b[2], c[2];
  // row: `tbb::parallel_invoke(f, g)`
  tbb::parallel_invoke([&] { a[0] = f(1); }, [&] { a[1] = f(2); });
  auto first = [&] { b[0] = f(1); };
  auto second = [&] { b[1] = f(2); };
  cilk_spawn first();
  second();
  cilk_sync;
  cilk::invoke([&] { c[0] = f(1); }, [&] { c[1] = f(2); });
  CHECK(std::equal(a, a + 2, b) && std::equal(a, a + 2, c));

  // row: `tbb::task_group g; g.run(f); g.run(h); g.wait();`
  tbb::task_group group;
  group.run([&] { a[0] = f(3); });
  group.run([&] { a[1] = f(4); });
  group.wait();
  cilk_scope {
    cilk_spawn [&] { b[0] = f(3); }();
    [&] { b[1] = f(4); }();
  }
  CHECK(std::equal(a, a + 2, b));
}

static void sums() {
  const Numbers v = numbers();
  using Range = tbb::blocked_range<std::size_t>;
  auto body = [&](const Range &range, long sum) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) sum += v[i];
    return sum;
  };
  const Range range(0, v.size());
  // row: `tbb::parallel_reduce(range, 0L, body, std::plus<>{})`
  const long a = tbb::parallel_reduce(range, 0L, body, std::plus<>{});
  cilk::reducer<long, std::plus<>> sum;
  cilk_for (long x : v) *sum += x;
  CHECK(a == *sum);
  CHECK(a == cilk::transform_reduce(v, 0L, std::plus<>{}, [](long x) { return x; }));

  // row: `tbb::parallel_deterministic_reduce`
  CHECK(tbb::parallel_deterministic_reduce(range, 0L, body, std::plus<>{}) == cilk::reduce(v, 0L));
  CHECK(a == cilk::transform_reduce(v, Numbers(v.size(), 1), 0L));

  // row: `tbb::parallel_scan`
  Numbers scanned(n), inclusive(n), exclusive(n);
  tbb::parallel_scan(
      range, 0L,
      [&](const Range &part, long before, bool is_final) {
        for (std::size_t i = part.begin(); i != part.end(); ++i) {
          before += v[i];
          if (is_final) scanned[i] = before;
        }
        return before;
      },
      std::plus<>{});
  cilk::inclusive_scan(v.begin(), v.end(), inclusive.begin());
  cilk::exclusive_scan(v.begin(), v.end(), exclusive.begin(), 0L);
  CHECK(scanned == inclusive && scanned[n - 2] == exclusive[n - 1]);

  // row: `tbb::parallel_sort(first, last)`, `std::sort(std::execution::par, first, last)`
  Numbers left = v, right = v;
  tbb::parallel_sort(left.begin(), left.end());
  cilk::sort(right.begin(), right.end());
  CHECK(left == right);
}

static void local() {
  const Numbers v = numbers();
  // row: `tbb::combinable<T>`, `enumerable_thread_specific<T>` to combine
  tbb::combinable<long> each([] { return 0L; });
  tbb::enumerable_thread_specific<long> also(0L);
  tbb::parallel_for(0, n, [&](int i) {
    each.local() += v[i];
    also.local() += v[i];
  });
  cilk::reducer<long, std::plus<>> sum;
  cilk_for (int i = 0; i < n; ++i) *sum += v[i];
  CHECK(each.combine(std::plus<>{}) == *sum && also.combine(std::plus<>{}) == *sum);

  // row: `tbb::enumerable_thread_specific<Buffer>` for scratch space
  Numbers a(n), b(n);
  tbb::enumerable_thread_specific<Numbers> buffers;
  tbb::parallel_for(0, n, [&](int i) {
    Numbers &buffer = buffers.local();
    buffer.assign(10, i);
    a[i] = std::accumulate(buffer.begin(), buffer.end(), 0L);
  });
  cilk::scratch<Numbers> scratch;
  cilk_for (int i = 0; i < n; ++i) {
    scratch->assign(10, i);
    b[i] = std::accumulate(scratch->begin(), scratch->end(), 0L);
  }
  CHECK(a == b);

  // row: `tbb::concurrent_vector<T>::push_back`
  tbb::concurrent_vector<long> unordered;
  tbb::parallel_for(0, n, [&](int i) {
    if (v[i] % 2 == 0) unordered.push_back(v[i]);
  });
  cilk::reducer<Numbers, cilk::append> ordered;
  cilk_for (int i = 0; i < n; ++i)
    if (v[i] % 2 == 0) ordered->push_back(v[i]);
  Numbers serial;
  std::copy_if(v.begin(), v.end(), std::back_inserter(serial), [](long x) { return x % 2 == 0; });
  CHECK(*ordered == serial);
  CHECK(std::is_permutation(serial.begin(), serial.end(), unordered.begin()));

  // row: `tbb::concurrent_hash_map`, `tbb::concurrent_queue`, `tbb::spin_mutex`
  tbb::concurrent_hash_map<long, long> counts;
  tbb::concurrent_queue<long> queue;
  tbb::spin_mutex mutex;
  long total = 0;
  cilk_for (int i = 0; i < n; ++i) {
    {
      tbb::concurrent_hash_map<long, long>::accessor count;
      counts.insert(count, i % 7);
      ++count->second;
    }
    queue.push(i);
    const tbb::spin_mutex::scoped_lock lock(mutex);
    total += i;
  }
  CHECK(counts.size() == 7 && queue.unsafe_size() == static_cast<std::size_t>(n));
  CHECK(total == n * (n - 1L) / 2);
}

static void workers() {
  // row: `tbb::global_control(max_allowed_parallelism, 4)`
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism, 4);
  CHECK(__cilkrts_set_param("nworkers", "4") == __CILKRTS_SET_PARAM_SUCCESS);
  CHECK(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism) ==
        __cilkrts_get_nworkers());

  // row: `tbb::this_task_arena::current_thread_index()`
  std::atomic<bool> is_below{true};
  tbb::parallel_for(0, n, [&](int) {
    if (tbb::this_task_arena::current_thread_index() >= 4) is_below = false;
  });
  cilk_for (int i = 0; i < n; ++i)
    if (__cilkrts_get_worker_number() >= 4) is_below = false;
  CHECK(is_below);
}

int main() {
  workers();
  loops();
  children();
  sums();
  local();
}
