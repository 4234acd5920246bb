// tbb::task_group quicksort: group.run with a compound lambda (locals, a loop, an if).
#include <tbb/task_group.h>

#include <algorithm>
#include <cstdio>
#include <vector>

static void quicksort(int *first, int *last) {
  if (last - first <= 64) {
    std::sort(first, last);
    return;
  }
  const int pivot = first[(last - first) / 2];
  int *lower = std::partition(first, last, [=](int v) { return v < pivot; });
  int *upper = std::partition(lower, last, [=](int v) { return v == pivot; });
  tbb::task_group group;
  group.run([=] {
    bool sorted = true;
    for (int *p = first; p + 1 < lower; ++p) {
      if (p[1] < p[0]) {
        sorted = false;
        break;
      }
    }
    if (!sorted) quicksort(first, lower);
  });
  quicksort(upper, last);
  group.wait();
}

int main() {
  std::vector<int> v(20000);
  unsigned state = 12345;
  for (int &x : v) x = int((state = state * 1664525u + 1013904223u) >> 12) % 30000;
  quicksort(v.data(), v.data() + v.size());
  unsigned checksum = 0;
  for (int x : v) checksum = checksum * 31 + unsigned(x);
  std::printf("sorted %d\n", int(std::is_sorted(v.begin(), v.end())));
  std::printf("min %d median %d max %d checksum %08x\n", v.front(), v[10000], v.back(), checksum);
  return 0;
}
