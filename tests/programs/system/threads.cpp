// Several threads that call spawning functions at the same time, that begin and end while others
// run, and that never spawn at all. Each gets its own results, on its own thread.
//
// matrix: args 6
// matrix: flags -pthread

#include <cilk/cilk.h>

#include <atomic>
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "../support/check.h"

namespace {

long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

NOINLINE void touch(std::atomic<long> &sum) {
  linger();
  sum.fetch_add(1, std::memory_order_relaxed);
}

long spread(long n) {
  std::atomic<long> sum{0};
  for (long i = 0; i < n; ++i) cilk_spawn touch(sum);
  cilk_sync;
  return sum.load(std::memory_order_relaxed);
}

void at_once(long threads) {
  std::vector<long> results(static_cast<std::size_t>(threads));
  std::vector<std::thread> running;
  for (long i = 0; i < threads; ++i) {
    running.emplace_back([&results, i] {
      const std::thread::id me = std::this_thread::get_id();
      for (int round = 0; round < 4; ++round) {
        results[static_cast<std::size_t>(i)] += fib(8 + i % 4) + spread(10);
        CHECK(std::this_thread::get_id() == me);
      }
    });
  }
  const long mine = fib(12);
  for (std::thread &thread : running) thread.join();
  long total = mine;
  for (long result : results) total += result;
  printf("at once: %ld\n", total);
}

// Threads that live for one spawn each.
void in_turn(long threads) {
  long total = 0;
  for (long i = 0; i < 5 * threads; ++i) {
    std::thread([&total, i] { total += fib(i % 8) + spread(2); }).join();
  }
  printf("in turn: %ld\n", total);
}

// Threads made by children, and joined by them.
long threads_in_children(long n) {
  if (n == 0) return 1;
  long a = cilk_spawn threads_in_children(n - 1);
  long b = 0;
  std::thread thread([&b, n] { b = fib(n + 3); });
  thread.join();
  cilk_sync;
  return a * 3 + b;
}

// An exception of a child passes through a spawning function and a future to another thread.
long failing(long n) {
  if (n == 0) throw std::runtime_error("from a child");
  long a = cilk_spawn failing(n - 1);
  long b = fib(3);
  cilk_sync;
  return a + b;
}

void futures(long threads) {
  std::vector<std::future<long>> futures;
  for (long i = 0; i < threads; ++i) {
    futures.push_back(
        std::async(std::launch::async, [i] { return i % 2 == 0 ? fib(10) : failing(5); }));
  }
  long total = 0, failed = 0;
  for (std::future<long> &future : futures) {
    try {
      total += future.get();
    } catch (const std::runtime_error &) {
      ++failed;
    }
  }
  printf("futures: %ld, %ld failed\n", total, failed);
}

}  // namespace

int main(int argc, char **argv) {
  const long threads = size_argument(argc, argv, 6);
  // The first spawn of the process happens on another thread than main.
  std::thread([] { printf("first: %ld\n", fib(5)); }).join();
  at_once(threads);
  in_turn(threads);
  printf("in children: %ld\n", threads_in_children(4));
  futures(threads);
  return 0;
}
