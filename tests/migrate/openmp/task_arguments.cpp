// Tasks that are one call, of which a variable must be the task's own: what the child evaluates, or
// where a pointer leads.
#include <cstdio>
#include <cstdlib>
#include <string>

const int kTasks = 500;
int out[4][kTasks];

void linger() {
  for (volatile int k = 0; k < 2000;) k = k + 1;
}

struct Counter {
  int i;
  void run() const {
    linger();
    ++out[0][i];
  }
  int size() const {
    linger();
    return i;
  }
};

void put(int i, const std::string &text) {
  linger();
  out[1][i] += static_cast<int>(text.size());
}

void parse(const char *text) {
  linger();
  ++out[2][std::atoi(text)];
}

int main() {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
    Counter counter{i};
    std::string text = "0000000000000000000000000000000" + std::to_string(i % 10);
    std::string number = "0000000000000000000000000000000" + std::to_string(i);
#pragma omp task
    counter.run();
#pragma omp task
    put(i, text);
#pragma omp task if (i % 3)
    parse(number.c_str());
#pragma omp task
    out[3][i] = counter.size();
  }
  int wrong = 0;
  for (int i = 0; i < kTasks; ++i)
    wrong += out[0][i] != 1 || out[1][i] != 32 || out[2][i] != 1 || out[3][i] != i;
  std::printf("%d wrong\n", wrong);
}
