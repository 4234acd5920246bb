// Small programs, one for each argument: some with one seeded fault in how they are parallel, some
// sound. Run by verdict_test.py, which expects the statistics to name the fault and its line.
//
// Work is counted in steps of a generator, not in time, so a loaded machine changes only the clock.
// A line with a `site:` comment is the spawn that the verdict must name.
#include <cilk/cilk.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>

namespace {

constexpr long kMillisecond = 400'000;  // steps, about

/// Work that the compiler cannot remove.
std::uint64_t work(long steps, std::uint64_t value = 1) {
  for (long i = 0; i < steps; ++i) {
    value = value * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : "+r"(value));
  }
  return value;
}

void even(int items, long steps) {
  cilk_for (int i = 0; i < items; ++i)  // site: serial_part
    work(steps, static_cast<std::uint64_t>(i));
}

void long_item() {
  cilk_for (int i = 0; i < 64; ++i)  // site: long_item
    work(i == 21 ? 150 * kMillisecond : kMillisecond / 2);
}

void long_child() {
  cilk_spawn work(150 * kMillisecond);  // site: long_child
  cilk_spawn work(kMillisecond);
  cilk_spawn work(kMillisecond);
  work(kMillisecond);
  cilk_sync;
}

void serial_end() {
  even(256, kMillisecond / 2);
  work(200 * kMillisecond);
}

void serial_start() {
  work(200 * kMillisecond);
  even(256, kMillisecond / 2);
}

void serial_part() {
  for (int round = 0; round < 8; ++round) {
    work(30 * kMillisecond);
    even(32, kMillisecond / 4);
  }
}

long fib(long n) {
  if (n < 2) return n;
  const long a = cilk_spawn fib(n - 1);  // site: too_fine
  const long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

void tiny_children() {
  for (long i = 0; i < 50'000'000; ++i) cilk_spawn work(2);
  cilk_sync;
}

void tiny_regions() {
  for (int round = 0; round < 2'000'000; ++round) {
    cilk_spawn work(40);
    work(40);
    cilk_sync;
  }
}

void sleeping() {
  cilk_for (int i = 0; i < 64; ++i) {
    work(kMillisecond / 4);
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
  }
}

/// Little more than one strand at a time.
void thin() {
  for (int round = 0; round < 60; ++round) {
    cilk_spawn work(6 * kMillisecond);  // site: thin
    work(kMillisecond / 2);
    cilk_sync;
  }
}

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

struct Program {
  const char *name;
  void (*run)();
};

const Program kPrograms[] = {
    {"long_item", long_item},
    {"long_child", long_child},
    {"serial_end", serial_end},
    {"serial_start", serial_start},
    {"serial_part", serial_part},
    {"too_fine", [] { fib(40); }},
    {"tiny_children", tiny_children},
    {"tiny_regions", tiny_regions},
    {"sleeping", sleeping},
    {"thin", thin},
    {"even", [] { even(512, kMillisecond); }},
    {"uneven",
     [] {
       cilk_for (int i = 0; i < 512; ++i) work(kMillisecond / 4 * (i % 8));
     }},
    {"tree", [] { tree(10, kMillisecond / 2); }},
    {"fine_enough", [] { tree(18, 1200); }},
    {"rounds",
     [] {
       for (int round = 0; round < 12; ++round) even(256, kMillisecond / 4);
     }},
    {"short", [] { even(8, kMillisecond / 8); }},
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
