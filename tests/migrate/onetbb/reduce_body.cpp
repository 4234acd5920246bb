// tbb::parallel_reduce with a Body class (splitting constructor and join), not functional form.
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cstddef>
#include <iostream>
#include <vector>

class ArgMin {
 public:
  explicit ArgMin(const std::vector<int> &values) : values_(values) {}
  ArgMin(ArgMin &other, tbb::split) : values_(other.values_) {}

  void operator()(const tbb::blocked_range<std::size_t> &r) {
    for (std::size_t i = r.begin(); i != r.end(); ++i) consider(values_[i], i);
  }
  void join(const ArgMin &right) { consider(right.best, right.index); }

  int best = 1 << 30;
  std::size_t index = std::size_t(-1);

 private:
  // Ties go to the smaller index, so the result does not depend on how the range was split.
  void consider(int v, std::size_t i) {
    if (v < best || (v == best && i < index)) {
      best = v;
      index = i;
    }
  }
  const std::vector<int> &values_;
};

int main() {
  std::vector<int> values(25000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = int((i * 3571 + 4242) % 5003) + 7;
  ArgMin body(values);
  // stays: a body of a class that splits and joins
  tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, values.size()), body);
  std::cout << "min " << body.best << " at " << body.index << '\n';
  return 0;
}
