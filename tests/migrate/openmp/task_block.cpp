// Exercises: task with a compound body and firstprivate values, tasks made in a for loop.
#include <cstdio>
#include <vector>

struct Stat {
  int first = 0;
  int last = 0;
  long sum = 0;
};

int main() {
  const int blocks = 12, block_size = 50;
  std::vector<int> data(blocks * block_size);
  std::vector<Stat> stats(blocks);
  std::vector<int> order(blocks);

#pragma omp parallel
#pragma omp single
  {
    int begin = 0;
    for (int i = 0; i < blocks; ++i) {
      int factor = i % 4 + 1;
#pragma omp task firstprivate(i, begin, factor) shared(data, stats)
      {
        int end = begin + block_size;
        for (int j = begin; j < end; ++j) data[j] = factor * j % 89;
        stats[i].first = data[begin];
        stats[i].last = data[end - 1];
        factor *= 2;
        for (int j = begin; j < end; ++j) stats[i].sum += factor * data[j];
      }
      begin += block_size;
    }
#pragma omp taskwait
    for (int i = 0; i < blocks; ++i) {
#pragma omp task firstprivate(i) shared(order, stats)
      order[i] = stats[i].first < stats[blocks - 1 - i].last ? i : -i;
    }
  }

  for (int i = 0; i < blocks; ++i)
    std::printf("%2d %3d %3d %6ld %3d\n", i, stats[i].first, stats[i].last, stats[i].sum, order[i]);
  return 0;
}
