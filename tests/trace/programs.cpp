// Small programs to trace, one for each argument; each prints "done". Run by trace_test.py.
#include <cilk/cilk.h>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

void work(long steps) {
  std::uint64_t value = 1;
  for (long i = 0; i < steps; ++i) {
    value = value * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : "+r"(value));
  }
}

void tree(int levels) {
  if (levels == 0) return work(20'000);
  cilk_spawn tree(levels - 1);
  tree(levels - 1);
  cilk_sync;
}

long fib(long n) {
  if (n < 2) return n;
  const long a = cilk_spawn fib(n - 1);
  const long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

/// Only the child of fork spawns.
void fork_first() {
  const pid_t child = fork();
  if (child == 0) {
    tree(4);
    std::exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) std::abort();
}

/// A child of fork that ends as a program does.
void with_fork() {
  tree(8);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) std::exit(0);
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) std::abort();
  tree(8);
}

/// As daemons do; then a file of its own may get the number that the trace's had.
void closes_all() {
  tree(8);
  for (int file = 3; file < 100; ++file) close(file);
  std::FILE *own = std::fopen("own.txt", "w");
  if (own == nullptr) std::abort();
  for (int round = 0; round < 8; ++round) {
    tree(12);
    std::fputs("mine\n", own);
    std::fflush(own);
  }
}

}  // namespace

int main(int argc, char **argv) {
  const char *name = argc == 2 ? argv[1] : "";
  if (std::strcmp(name, "tree") == 0) tree(15);
  if (std::strcmp(name, "fib") == 0) fib(18);
  if (std::strcmp(name, "fork") == 0) with_fork();
  if (std::strcmp(name, "fork_first") == 0) fork_first();
  if (std::strcmp(name, "closes_all") == 0) closes_all();
  if (std::strcmp(name, "endless") == 0)
    for (;;) tree(6);
  if (std::strcmp(name, "serial") == 0) work(1000);
  std::puts("done");
  if (std::strcmp(name, "main_ends") == 0) {
    tree(8);
    std::fflush(stdout);
    pthread_exit(nullptr);
  }
}
