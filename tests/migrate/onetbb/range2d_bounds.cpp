// Bounds of a blocked_range2d that do something when they are computed: once, and not for each row.
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include <cstdio>
#include <vector>

struct Image {
  int width, height;
  std::vector<int> pixels;
  int asked = 0;
  int rows() { return ++asked, height; }
  int columns() { return ++asked, width; }
  int size() const { return width; }
};

static int calls = 0;
static int next(int n) {
  ++calls;
  return n;
}

int main() {
  Image image{8, 5, std::vector<int>(40)};
  tbb::parallel_for(tbb::blocked_range2d<int>(0, image.rows(), 0, image.columns()),
                    [&](const tbb::blocked_range2d<int> &r) {
                      for (int y = r.rows().begin(); y != r.rows().end(); ++y)
                        for (int x = r.cols().begin(); x != r.cols().end(); ++x)
                          image.pixels[y * image.width + x] = x + y;
                    });
  tbb::parallel_for(tbb::blocked_range2d<int>(0, 5, next(0), image.size()), [&](const auto &r) {
    for (int y = r.rows().begin(); y != r.rows().end(); ++y)
      for (int x = r.cols().begin(); x != r.cols().end(); ++x) image.pixels[y * 8 + x] *= 3;
  });
  long sum = 0;
  for (int pixel : image.pixels) sum = sum * 3 + pixel;
  std::printf("%d %d %ld\n", image.asked, calls, sum);
}
