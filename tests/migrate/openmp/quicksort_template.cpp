// Exercises: a template function with tasks (quicksort over iterators), task with if(n > k).
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

template <typename It>
void quicksort(It first, It last) {
  auto n = last - first;
  if (n < 2) return;
  auto pivot = *(first + n / 2);
  It mid1 = std::partition(first, last, [&](const auto &v) { return v < pivot; });
  It mid2 = std::partition(mid1, last, [&](const auto &v) { return !(pivot < v); });
#pragma omp task if (n > 100)
  quicksort(first, mid1);
#pragma omp task if (n > 100)
  quicksort(mid2, last);
#pragma omp taskwait
}

template <typename T>
void sort_all(std::vector<T> &v) {
#pragma omp parallel
  {
#pragma omp single
    {
      quicksort(v.begin(), v.end());
    }
  }
}

int main() {
  std::vector<int> ints(3000);
  std::vector<std::string> words(500);
  for (int i = 0; i < 3000; ++i) ints[i] = i * 7907 % 3001;
  for (int i = 0; i < 500; ++i) words[i] = "w" + std::to_string(i * 83 % 499);
  sort_all(ints);
  sort_all(words);
  std::cout << std::is_sorted(ints.begin(), ints.end()) << ' ' << ints[10] << ' ' << ints[2990];
  std::cout << '\n' << std::is_sorted(words.begin(), words.end()) << ' ' << words[250] << '\n';
  return 0;
}
