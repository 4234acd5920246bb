// Small programs, one for each argument: ten with one seeded fault in how they are parallel, ten
// sound ones, one that needs much stack, and one that does not end, to be watched. Run by
// programs_test.py, which expects `nopal-view run` to name the fault.
//
// Work is counted in steps of a generator, not in time. Each program takes 0.1 to 0.4 seconds on
// one worker, and in all it does the same on any number of workers.
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

namespace {

constexpr long kMillisecond = 400'000;  // steps, about

/// What the compiler cannot leave out.
std::uint64_t work(long steps, std::uint64_t value = 1) {
  for (long i = 0; i < steps; ++i) {
    value = value * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : "+r"(value));
  }
  return value;
}

void even(int items, long steps) {
  cilk_for (int i = 0; i < items; ++i)  // site: even
    work(steps, static_cast<std::uint64_t>(i));
}

// Seeded faults.

long fib(long n) {
  if (n < 2) return n;
  const long a = cilk_spawn fib(n - 1);  // site: grain_too_fine
  const long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

/// A cut-off so high that three pieces are left, which no two or four workers share evenly.
void pieces(long steps) {
  if (steps <= 100 * kMillisecond) {
    work(steps);
    return;
  }
  cilk_spawn work(100 * kMillisecond);  // site: grain_too_coarse
  pieces(steps - 100 * kMillisecond);
  cilk_sync;
}

void serial_tail() {
  even(256, kMillisecond / 2);
  work(150 * kMillisecond);
}

void long_item() {
  cilk_for (int i = 0; i < 64; ++i)  // site: long_item
    work(i == 21 ? 150 * kMillisecond : kMillisecond / 2);
}

void lock() {
  static std::mutex mutex;
  cilk_for (int i = 0; i < 64; ++i) {  // site: lock
    const std::lock_guard held(mutex);
    work(3 * kMillisecond);
  }
}

void count_in(std::atomic<std::uint64_t> &counter, long times) {
  for (long i = 0; i < times; ++i) counter.fetch_add(1, std::memory_order_relaxed);
}

/// Neighbours in one cache line.
void false_sharing() {
  alignas(64) static std::array<std::atomic<std::uint64_t>, 8> counters;
  cilk_for (int i = 0; i < 64; ++i)  // site: false_sharing
    count_in(counters[static_cast<std::size_t>(i / 8)], 1'000'000);
}

void contended_atomic() {
  static std::atomic<std::uint64_t> counter;
  cilk_for (int i = 0; i < 64; ++i)  // site: contended_atomic
    count_in(counter, 1'000'000);
}

/// Each function spawns what comes after it: all continuations are in the first worker's deque.
void chain(long length) {
  if (length == 0) return;
  cilk_spawn chain(length - 1);  // site: one_victim
  work(20'000);
  cilk_sync;
}

/// Hardly more than one strand at a time.
void thin() {
  for (int round = 0; round < 40; ++round) {
    cilk_spawn work(6 * kMillisecond);  // site: too_little_parallelism
    work(kMillisecond / 2);
    cilk_sync;
  }
}

// Sound ones.

/// A parallel merge sort's shape: halves, then a merge of both.
void tree(int levels, long leaf) {
  if (levels == 0) {
    work(leaf);
    return;
  }
  cilk_spawn tree(levels - 1, leaf);
  tree(levels - 1, leaf);
  cilk_sync;
  work(leaf / 4);
}

long queens(int n, unsigned columns, unsigned left, unsigned right, int row) {
  if (row == n) return 1;
  unsigned open = ((1u << n) - 1) & ~(columns | left | right);
  std::array<long, 16> counts{};
  std::size_t used = 0;
  while (open != 0) {
    const unsigned bit = open & -open;
    open ^= bit;
    const unsigned next_left = (left | bit) << 1;
    const unsigned next_right = (right | bit) >> 1;
    if (row < 4)
      counts[used] = cilk_spawn queens(n, columns | bit, next_left, next_right, row + 1);
    else
      counts[used] = queens(n, columns | bit, next_left, next_right, row + 1);
    ++used;
  }
  cilk_sync;
  long sum = 0;
  for (const long count : counts) sum += count;
  return sum;
}

using Matrix = std::vector<double>;

void multiply() {
  constexpr int kSize = 384;
  const Matrix a(kSize * kSize, 1.5);
  const Matrix b(kSize * kSize, 0.5);
  Matrix c(kSize * kSize);
  // So often that the first touch of the pages, which is serial and takes up to 15 ms, is little.
  for (int round = 0; round < 20; ++round) {
    cilk_for (int i = 0; i < kSize; ++i)
      for (int k = 0; k < kSize; ++k)
        for (int j = 0; j < kSize; ++j) c[i * kSize + j] += a[i * kSize + k] * b[k * kSize + j];
  }
  if (c[7] < 0) std::abort();
}

/// A stencil that stays in the cache.
void stencil() {
  constexpr int kCells = 16'384;
  std::vector<double> now(kCells, 1);
  std::vector<double> next(kCells, 1);
  for (int step = 0; step < 600; ++step) {
    cilk_for (int block = 0; block < 32; ++block)
      for (int repeat = 0; repeat < 16; ++repeat)
        for (int i = std::max(1, block * 512); i < std::min(kCells - 1, block * 512 + 512); ++i)
          next[i] = (now[i - 1] + now[i] * (2 + repeat) + now[i + 1]) / (4 + repeat);
    std::swap(now, next);
  }
  if (now[3] < 0) std::abort();
}

void reduce() {
  cilk::reducer_opadd<std::uint64_t> sum;
  cilk_for (int i = 0; i < 1024; ++i) *sum += work(kMillisecond / 4) & 1;
}

/// As false_sharing, with a line for each counter.
void apart() {
  struct alignas(128) Padded {
    std::atomic<std::uint64_t> count;
  };
  static std::array<Padded, 256> counters;
  cilk_for (int i = 0; i < 256; ++i) count_in(counters[static_cast<std::size_t>(i)].count, 200'000);
}

struct Program {
  const char *name;
  void (*run)();
};

constexpr int kBlock = 100'000;

/// Stays at the end of a stack of that many bytes, in pieces that are spawned.
void stand_on(int bytes) {
  volatile char block[kBlock];
  for (int i = 0; i < kBlock; i += 1000) block[i] = 1;
  if (bytes > kBlock) {
    cilk_spawn stand_on(bytes - kBlock);
    block[1] = 1;
    cilk_sync;
  } else {
    for (int round = 0; round < 6; ++round) even(256, kMillisecond / 4);
  }
  block[0] = 0;
}

const Program kPrograms[] = {
    {"grain_too_fine", [] { fib(40); }},
    {"grain_too_coarse", [] { pieces(300 * kMillisecond); }},
    {"serial_tail", serial_tail},
    {"long_item", long_item},
    {"lock", lock},
    {"false_sharing", false_sharing},
    {"contended_atomic", contended_atomic},
    {"one_victim", [] { chain(4000); }},
    {"oversubscription", [] { even(512, kMillisecond / 2); }},
    {"too_little_parallelism", thin},
    {"even", [] { even(512, kMillisecond / 2); }},
    {"uneven",
     [] {
       cilk_for (int i = 0; i < 512; ++i) work(kMillisecond / 6 * (i % 8));
     }},
    {"tree", [] { tree(9, kMillisecond / 2); }},
    {"fine_enough", [] { tree(17, 1200); }},
    {"rounds",
     [] {
       for (int round = 0; round < 6; ++round) even(256, kMillisecond / 4);
     }},
    {"queens", [] { queens(13, 0, 0, 0, 0); }},
    {"multiply", multiply},
    {"stencil", stencil},
    {"reduce", reduce},
    {"apart", apart},
    {"endless",
     [] {
       for (;;) even(256, kMillisecond / 4);
     }},
    {"deep", [] { stand_on(40 * kBlock); }},
};

}  // namespace

int main(int argc, char **argv) {
  for (const Program &program : kPrograms)
    if (argc == 2 && std::strcmp(argv[1], program.name) == 0) {
      program.run();
      return 0;
    }
  std::fprintf(stderr, "usage: programs NAME\n");
  return 2;
}
