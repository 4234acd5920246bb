// Exercises: class methods with a parallel for over a member, std::vector iterator loops.
#include <cstdio>
#include <vector>

class Grid {
 public:
  Grid(int width, int height) : width_(width), height_(height), cells_(width * height) {}

  void fill(int seed) {
#pragma omp parallel for
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) cells_[y * width_ + x] = (x * seed + y * y) % 23;
    }
  }

  void scale(int factor) {
#pragma omp parallel for
    for (auto it = cells_.begin(); it < cells_.end(); ++it) *it *= factor;
  }

  long energy() const {
    long total = 0;
#pragma omp parallel for reduction(+ : total)
    for (std::vector<int>::const_iterator it = cells_.cbegin(); it != cells_.cend(); it++) {
      total += static_cast<long>(*it) * *it;
    }
    return total;
  }

 private:
  int width_, height_;
  std::vector<int> cells_;
};

int main() {
  Grid grid(40, 30);
  for (int seed = 1; seed <= 3; ++seed) {
    grid.fill(seed);
    std::printf("seed %d energy %ld", seed, grid.energy());
    grid.scale(seed + 1);
    std::printf(" scaled %ld\n", grid.energy());
  }
  return 0;
}
