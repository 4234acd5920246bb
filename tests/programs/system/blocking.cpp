// Children that block: on a mutex that a thread of the program holds, on a condition variable that
// one signals, on a pipe that one fills; and children that block each other for a while. A blocked
// child blocks only its own worker, and all children end.
//
// matrix: flags -pthread

#include <cilk/cilk.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "../support/check.h"

namespace {

// The other thread holds the mutex while children come; it lets them in one by one.
long on_a_mutex(long n) {
  std::mutex mutex;
  long sum = 0;
  std::unique_lock held(mutex);
  std::thread releaser([&] {
    std::lock_guard again(mutex);  // comes when the parent lets go
    sum += 1000;
  });
  held.unlock();
  for (long i = 0; i < n; ++i) {
    cilk_spawn [&mutex, &sum, i] {
      std::lock_guard lock(mutex);
      linger();
      sum += i;
    }();
  }
  cilk_sync;
  releaser.join();
  return sum;
}

struct Gate {
  std::mutex mutex;
  std::condition_variable opened;
  long is_open = 0;
  void wait() {
    std::unique_lock lock(mutex);
    opened.wait(lock, [this] { return is_open != 0; });
  }
  void open() {
    std::lock_guard lock(mutex);
    is_open = 1;
    opened.notify_all();
  }
};

NOINLINE long through(Gate *gate, long i) {
  gate->wait();
  return i;
}

long sum_through(Gate *gate, long n) {
  if (n == 0) return through(gate, 1);
  const long a = cilk_spawn sum_through(gate, n - 1);
  const long b = through(gate, n);
  cilk_sync;
  return a + b;
}

long on_a_condition(long n) {
  Gate gate;
  std::thread opener([&gate] {
    for (int i = 0; i < 20; ++i) linger();
    gate.open();
  });
  const long sum = sum_through(&gate, n);
  opener.join();
  return sum;
}

NOINLINE long read_one(int from) {
  unsigned char byte = 0;
  CHECK(read(from, &byte, 1) == 1);
  return byte;
}

long read_all(int from, long n) {
  long bytes[64];
  CHECK(n <= 64);
  for (long i = 0; i < n; ++i) bytes[i] = cilk_spawn read_one(from);
  cilk_sync;
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += bytes[i];
  return sum;
}

long on_a_pipe(long n) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  std::thread writer([&ends, n] {
    for (long i = 0; i < n; ++i) {
      linger();
      const unsigned char byte = static_cast<unsigned char>(i);
      CHECK(write(ends[1], &byte, 1) == 1);
    }
  });
  const long sum = read_all(ends[0], n);
  writer.join();
  close(ends[0]);
  close(ends[1]);
  return sum;
}

}  // namespace

int main() {
  printf("mutex: %ld\n", on_a_mutex(30));
  printf("condition: %ld\n", on_a_condition(20));
  printf("pipe: %ld\n", on_a_pipe(40));
  return 0;
}
