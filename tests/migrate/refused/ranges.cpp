// Ranges of oneTBB of which the loop in the new code would be another one: every construct stays.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <vector>

void numbers(int n, std::vector<int> &v) {
  tbb::parallel_for(tbb::blocked_range<int>(0, n - 1), [&](const auto &r) {
    // stays: 'i' is unsigned and the range is not
    for (std::size_t i = r.begin(); i < r.end(); ++i) v[i] = 1;
  });
}
