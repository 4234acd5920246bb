// Comments and directives in and around what is replaced. Those that begin with
// "has" stay.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_group.h>

#include <cstdio>
#include <functional>
#include <vector>

static int square(int i) { return i * i; }

int main() {
  std::vector<int> v(50);
  tbb::parallel_for(tbb::blocked_range<int>(0, 50), [&](const tbb::blocked_range<int> &r) {
    // has: first
    for (int i = r.begin(); i != r.end(); ++i) v[i] = square(i);  // has: second
    // has: third
  });
  int a = 0, b = 0, c = 0;
  tbb::parallel_invoke(
      // has: left
      [&] {
        a = square(1); /* has: one */
      },
      // has: right
      [&] { b = square(2); });
  tbb::task_group g;
  g.run([&] {
  // has: deep
#ifdef TRACE
    std::printf("deep\n");
#endif
    c = square(3);
  });
  g.run([&] {
    v[0] = square(4);  // has: last
  });
  g.wait();
  const long sum = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 50), 0L,  // has: all
      [&](const auto &r, long s) {
        for (int i = r.begin(); i != r.end(); ++i) s += v[i];
        return s;  // has: result
      },
      // has: operation
      std::plus<long>());
  tbb::parallel_invoke(
      [&] { tbb::parallel_invoke([&] { a += square(5); }, [&] { b += square(6); }); },
      [&] { c += square(7); });
  std::printf("%d %d %d %ld\n", a, b, c, sum);
}
