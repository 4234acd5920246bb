// Template functions with a task_group (merge sort, reduction), names written `oneapi::tbb::`.
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

template <typename It, typename Less>
void merge_sort(It first, It last, Less less) {
  if (last - first <= 50) {
    std::sort(first, last, less);
    return;
  }
  const It middle = first + (last - first) / 2;
  oneapi::tbb::task_group group;
  group.run([=] { merge_sort(first, middle, less); });
  merge_sort(middle, last, less);
  group.wait();
  std::vector<typename It::value_type> merged(last - first);
  std::merge(first, middle, middle, last, merged.begin(), less);
  std::copy(merged.begin(), merged.end(), first);
}

template <typename T>
T fold(const std::vector<T> &v, std::size_t first, std::size_t last) {
  if (last - first == 1) return v[first];
  const std::size_t middle = first + (last - first) / 2;
  T left{}, right{};
  oneapi::tbb::task_group group;
  group.run([&] { left = fold(v, first, middle); });
  right = fold(v, middle, last);
  group.wait();
  return left + right;
}

int main() {
  std::vector<int> numbers(8000);
  oneapi::tbb::parallel_for(0, 8000, [&](int i) { numbers[i] = i * 4421 % 8009; });
  merge_sort(numbers.begin(), numbers.end(), std::greater<>());
  std::cout << numbers[0] << ' ' << numbers[4000] << ' ' << fold(numbers, 0, 8000) << '\n'
            << fold<std::string>({"to ", "run ", "and ", "wait"}, 0, 4) << '\n';
}
