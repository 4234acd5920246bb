// Mandelbrot across ranks: iterations until each point of a square image leaves the circle of
// radius 2. Rows take very different times.
//
//   mpirun -n 2 mandelbrot 512
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cilk/cluster.h>

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "finish.h"

namespace {

/// Order counts: the image of other rows would have another sum.
struct Checksum {
  std::uint64_t factor = 1, sum = 0;
};
struct Append {
  Checksum identity() const { return {}; }
  void reduce(Checksum &left, Checksum &right) const {
    left.sum = left.sum * right.factor + right.sum;
    left.factor *= right.factor;
  }
};

int iterations(double re, double im) {
  std::complex<double> z = 0;
  int count = 0;
  for (; count < 1000 && std::norm(z) < 4; ++count) z = z * z + std::complex<double>(re, im);
  return count;
}

}  // namespace

int main(int argc, char **argv) {
  const int size = argc > 1 ? std::atoi(argv[1]) : 256;
  if (size < 1 || size > 1 << 15)
    return std::fprintf(stderr, "usage: %s SIZE, from 1 to 32768\n", argv[0]), 2;
  cilk::cluster ranks(argc, argv);
  const double begin = MPI_Wtime();
  const auto image = cilk::cluster_reduce<Checksum, Append>(ranks, 0, size, [size](int row) {
    Checksum sum;
    for (int column = 0; column < size; ++column) {
      const int count = iterations(-2 + 3.0 * column / size, -1.5 + 3.0 * row / size);
      sum.sum = sum.sum * 1000003 + static_cast<unsigned>(count);
      sum.factor *= 1000003;
    }
    return sum;
  });
  return finish(ranks, "mandelbrot " + std::to_string(size) + ": " + std::to_string(image.sum),
                true, MPI_Wtime() - begin);
}
