// Exercises: a group that runs closures and objects with names, which end before it waits; copies
// of variables that the loop changes by another name.
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <chrono>
#include <iostream>
#include <thread>
#include <vector>

struct Set {
  int *to, value;
  void operator()() const {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    *to = value;
  }
};

int main() {
  std::vector<int> v(24);
  tbb::task_group group;
  for (int i = 0; i < 12; ++i) {
    auto closure = [i, &v] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      v[i] = i;
    };
    group.run(closure);
    Set set{&v[12 + i], 100 + i};
    group.run(set);
    set.value = 0;
  }
  group.wait();
  int sum = 0;
  for (const int x : v) sum += x;

  int factor = 3, &other = factor;
  tbb::parallel_for(0, 24, [factor, &v, &other](int i) {
    v[i] = factor * i;
    if (i == 0) other = 100;
  });
  int products = 0;
  for (const int x : v) products += x;
  std::cout << sum << ' ' << products << ' ' << factor << '\n';
}
