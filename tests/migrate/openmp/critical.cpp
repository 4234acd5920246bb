// Exercises: critical (unnamed) and two named critical sections inside parallel for loops.
#include <iostream>
#include <map>
#include <set>

static int digit_sum(int n) {
  int s = 0;
  for (; n > 0; n /= 10) s += n % 10;
  return s;
}

int main() {
  std::map<int, int> histogram;
  std::set<int> squares;
  std::set<int> cubes;

#pragma omp parallel for
  for (int i = 0; i < 1000; ++i) {
    const int s = digit_sum(i);
#pragma omp critical
    ++histogram[s];
  }

#pragma omp parallel for schedule(dynamic, 8)
  for (int i = 0; i < 300; ++i) {
#pragma omp critical(square_lock)
    {
      const int r = i * i % 61;
      squares.insert(r);
    }
#pragma omp critical(cube_lock)
    cubes.insert(i * i * i % 61);
  }

  for (const auto &[key, count] : histogram)
    if (key % 5 == 0) std::cout << key << ' ' << count << '\n';
  std::cout << "squares " << squares.size() << " cubes " << cubes.size() << '\n';
  return 0;
}
