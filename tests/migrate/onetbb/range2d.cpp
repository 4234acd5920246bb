// tbb::parallel_for over blocked_range2d with rows() and cols(), with and without grain sizes.
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include <cstdio>
#include <vector>

int main() {
  const int rows = 120, cols = 170;
  std::vector<int> image(rows * cols), transposed(rows * cols), blurred(rows * cols);

  tbb::parallel_for(tbb::blocked_range2d<int>(0, rows, 0, cols), [&](const auto &r) {
    for (int i = r.rows().begin(); i != r.rows().end(); ++i)
      for (int j = r.cols().begin(); j != r.cols().end(); ++j)
        image[i * cols + j] = (i * 31 + j * 17) % 256;
  });

  tbb::parallel_for(tbb::blocked_range2d<int>(0, rows, 16, 0, cols, 32),
                    [&](const tbb::blocked_range2d<int> &r) {
                      for (int i = r.rows().begin(); i != r.rows().end(); ++i) {
                        for (int j = r.cols().begin(); j != r.cols().end(); ++j)
                          transposed[j * rows + i] = image[i * cols + j];
                      }
                    });

  // Interior points only.
  tbb::parallel_for(tbb::blocked_range2d<int>(1, rows - 1, 1, cols - 1), [&](const auto &r) {
    for (int i = r.rows().begin(), ie = r.rows().end(); i < ie; ++i)
      for (int j = r.cols().begin(), je = r.cols().end(); j < je; ++j) {
        const int *p = &image[i * cols + j];
        blurred[i * cols + j] = (p[-cols] + p[-1] + p[0] + p[1] + p[cols]) / 5;
      }
  });

  long a = 0, b = 0;
  for (int k = 0; k < rows * cols; ++k) {
    a += long(transposed[k]) * (k % 19);
    b += long(blurred[k]) * (k % 23);
  }
  std::printf("transposed %ld\nblurred    %ld\n", a, b);
  return 0;
}
