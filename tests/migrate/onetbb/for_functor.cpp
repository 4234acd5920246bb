// tbb::parallel_for with named functor objects, one over an index and one over a blocked_range.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <iostream>
#include <vector>

struct Collatz {
  int *steps;
  void operator()(int i) const {
    int count = 0;
    for (long v = i + 1; v != 1; v = v % 2 == 0 ? v / 2 : 3 * v + 1) ++count;
    steps[i] = count;
  }
};

class Scale {
 public:
  Scale(std::vector<long> &out, const std::vector<int> &in, long factor)
      : out_(out), in_(in), factor_(factor) {}
  void operator()(const tbb::blocked_range<std::size_t> &r) const {
    for (std::size_t i = r.begin(); i != r.end(); ++i) out_[i] = in_[i] * factor_ - long(i);
  }

 private:
  std::vector<long> &out_;
  const std::vector<int> &in_;
  long factor_;
};

int main() {
  std::vector<int> steps(4000);
  std::vector<long> scaled(steps.size());
  Collatz collatz{steps.data()};
  tbb::parallel_for(0, int(steps.size()), collatz);
  // stays: the body takes the range as a whole
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, steps.size()), Scale(scaled, steps, 11));
  long total = 0;
  for (std::size_t i = 0; i < scaled.size(); ++i) total += scaled[i] * long(i % 13 + 1);
  std::cout << "steps[26] = " << steps[26] << ", total = " << total << '\n';
  return 0;
}
