// heat: diffusion on a square plate whose edges are kept at given temperatures, by Jacobi steps;
// the rows of a step are divided in halves, and the leaf is a loop that the optimizer vectorizes. A
// sync ends each step. The result has the bits of the serial one.
//
// matrix: args 48 20
// matrix: chaos-args 32 10

#include <cilk/cilk.h>

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "../support/check.h"

namespace {

constexpr double kRate = 0.2;

class Plate {
 public:
  explicit Plate(int size) : size_(size), now_(static_cast<std::size_t>(size) * size), next_(now_) {
    for (int i = 0; i < size; ++i) {
      now_[index(0, i)] = 100;
      now_[index(size - 1, i)] = std::sin(i);
      now_[index(i, 0)] = i;
      now_[index(i, size - 1)] = -i;
    }
    next_ = now_;
  }

  void step() {
    step_rows(1, size_ - 1);
    now_.swap(next_);
  }

  const std::vector<double> &temperatures() const { return now_; }

 private:
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * size_ + column;
  }

  void step_rows(int begin, int end) {
    if (end - begin > 2) {
      const int middle = begin + (end - begin) / 2;
      cilk_spawn step_rows(begin, middle);
      step_rows(middle, end);
      cilk_sync;
      return;
    }
    for (int row = begin; row < end; ++row) {
      const double *above = &now_[index(row - 1, 0)], *here = &now_[index(row, 0)],
                   *below = &now_[index(row + 1, 0)];
      double *next = &next_[index(row, 0)];
      for (int i = 1; i < size_ - 1; ++i) {
        next[i] = here[i] + kRate * (above[i] + below[i] + here[i - 1] + here[i + 1] - 4 * here[i]);
      }
    }
  }

  int size_;
  std::vector<double> now_, next_;
};

}  // namespace

int main(int argc, char **argv) {
  const int size = static_cast<int>(size_argument(argc, argv, 512));
  const int steps = static_cast<int>(size_argument(argc - 1, argv + 1, 100));
  Plate plate(size);
  for (int i = 0; i < steps; ++i) plate.step();

  unsigned long checksum = 0;
  double highest = -1e300;
  for (double value : plate.temperatures()) {
    unsigned long bits;
    std::memcpy(&bits, &value, sizeof bits);
    checksum = mix(checksum, bits);
    highest = std::max(highest, value);
  }
  CHECK(highest <= std::max(100.0, static_cast<double>(size)));  // heat flows from hot to cold
  printf("heat %dx%d, %d steps: checksum %016lx\n", size, size, steps, checksum);
  return 0;
}
