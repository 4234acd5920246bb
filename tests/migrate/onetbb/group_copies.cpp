// Tasks that are one call on their own copy of an object.
#include <tbb/task_group.h>

#include <cstdio>
#include <cstdlib>
#include <string>

const int kTasks = 500;
int out[2][kTasks];

void linger() {
  for (volatile int k = 0; k < 2000;) k = k + 1;
}

struct Counter {
  int i;
  void run() const {
    linger();
    ++out[0][i];
  }
};

void parse(const char *text) {
  linger();
  ++out[1][std::atoi(text)];
}

int main() {
  tbb::task_group group;
  for (int i = 0; i < kTasks; ++i) {
    Counter counter{i};
    std::string number = "0000000000000000000000000000000" + std::to_string(i);
    group.run([=] { counter.run(); });
    group.run([number] { parse(number.c_str()); });
  }
  group.wait();
  int wrong = 0;
  for (int i = 0; i < kTasks; ++i) wrong += out[0][i] != 1 || out[1][i] != 1;
  std::printf("%d wrong\n", wrong);
}
