// quicksort over a std::vector with a comparator lambda: templates, iterators, and a partition that
// is serial, so its parallelism is modest. Sorts numbers by value and strings by length and then in
// reverse.
//
// matrix: args 20000
// matrix: chaos-args 5000

#include <cilk/cilk.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "../support/check.h"

namespace {

// Sorts [begin, end). Work n log n and span n, both expected.
template <class Iterator, class Compare>
void quicksort(Iterator begin, Iterator end, Compare less) {
  while (end - begin > 16) {
    const auto pivot = *std::next(begin, (end - begin) / 2);
    Iterator middle =
        std::partition(begin, end, [&](const auto &value) { return less(value, pivot); });
    Iterator after =
        std::partition(middle, end, [&](const auto &value) { return !less(pivot, value); });
    cilk_spawn quicksort(begin, middle, less);
    begin = after;
  }
  for (Iterator next = begin; next != end; ++next)
    std::rotate(std::upper_bound(begin, next, *next, less), next, next + 1);
}

template <class T, class Compare>
unsigned long sort_and_check(std::vector<T> values, Compare less) {
  std::vector<T> expected = values;
  quicksort(values.begin(), values.end(), less);
  std::sort(expected.begin(), expected.end(), less);
  CHECK(values == expected);
  unsigned long checksum = 0;
  for (const T &value : values) checksum = mix(checksum, std::hash<T>{}(value));
  return checksum;
}

}  // namespace

int main(int argc, char **argv) {
  const long size = size_argument(argc, argv, 300000);
  unsigned long random = 2;
  std::vector<long> numbers;
  std::vector<std::string> words;
  for (long i = 0; i < size; ++i) {
    numbers.push_back(static_cast<long>(next_random(&random) % static_cast<unsigned long>(size)));
    if (i % 8 == 0)
      words.push_back(std::string(next_random(&random) % 40, 'a') +
                      std::to_string(next_random(&random) % 1000));
  }
  long comparisons_by = 1;
  unsigned long checksum =
      sort_and_check(numbers, [comparisons_by](long a, long b) { return a < b * comparisons_by; });
  printf("quicksort of %ld numbers: checksum %016lx\n", size, checksum);

  auto longest_first = [](const std::string &a, const std::string &b) {
    return a.size() != b.size() ? a.size() > b.size() : a > b;
  };
  sort_and_check(words, longest_first);
  printf("quicksort of %zu words: ok\n", words.size());
  return 0;
}
