// Exercises: atomic update on int and double, atomic capture for slots whose order is sorted.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  const int n = 1200;
  int bins[8] = {};
  double weight = 0.0;
  int used = 0, tickets = 0;
  std::vector<int> picked(n);

#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const int b = (i * i / 5 + i) % 8;
#pragma omp atomic
    bins[b]++;
#pragma omp atomic update
    weight += 0.5 * b;
  }

#pragma omp parallel for shared(used, tickets, picked)
  for (int i = 0; i < n; ++i) {
    if (i % 7 != 0 && i % 11 != 0) continue;
    int slot;
#pragma omp atomic capture
    slot = used++;
    picked[slot] = i;
#pragma omp atomic
    tickets += i % 5;
  }
  picked.resize(used);
  std::sort(picked.begin(), picked.end());

  for (int b = 0; b < 8; ++b) std::printf("bin %d %d\n", b, bins[b]);
  long hash = 0;
  for (int v : picked) hash = (hash * 33 + v) % 1000003;
  std::printf("weight %.1f used %d tickets %d hash %ld\n", weight, used, tickets, hash);
  return 0;
}
