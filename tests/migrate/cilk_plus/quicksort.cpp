// cilk_spawn and cilk_sync with <cilk/cilk.h>: a quicksort template, a spawned lambda and method.
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <vector>

template <typename Iterator>
void quicksort(Iterator begin, Iterator end) {
  if (end - begin < 16) {
    std::sort(begin, end);
    return;
  }
  auto pivot = *(begin + (end - begin) / 2);
  Iterator low = std::partition(begin, end, [pivot](auto x) { return x < pivot; });
  Iterator high = std::partition(low, end, [pivot](auto x) { return !(pivot < x); });
  cilk_spawn quicksort(begin, low);
  quicksort(high, end);
  cilk_sync;
}

class Data {
 public:
  explicit Data(int n) {
    for (int i = 0; i < n; ++i) values_.push_back(i * 7919 % 1009);
  }
  void sort() { quicksort(values_.begin(), values_.end()); }
  int at(int i) const { return values_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<int> values_;
};

int main() {
  Data left(800), right(500);
  double parts[2] = {2.5, 0.5};
  cilk_spawn left.sort();
  cilk_spawn [&parts](double factor) { parts[0] *= factor; }(3);
  right.sort();
  parts[1] += 1;
  cilk_sync;
  std::printf("%d %d %d\n", left.at(0), left.at(400), left.at(799));
  std::printf("%d %d %g %g\n", right.at(0), right.at(499), parts[0], parts[1]);
}
