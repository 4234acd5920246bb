// Work that suspends many stacks, throws, and checks itself; prints "right". What the system
// refuses meanwhile is up to the caller.
//
//   work [ROUNDS] [mappings SPARE | membarrier | deadly]
//     mappings SPARE   first uses up vm.max_map_count but for SPARE mappings
//     membarrier       refuses membarrier by a seccomp filter in all threads, after the first round
//     deadly           is run again where membarrier ends the process
#include <cilk/cilk.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "../../programs/support/check.h"

namespace {

long fib(long n) {
  if (n < 2) return n;
  const long x = cilk_spawn fib(n - 1);
  const long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

NOINLINE void add(long *sum, long i) {
  linger();
  __atomic_fetch_add(sum, i, __ATOMIC_RELAXED);
}

long loop(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) cilk_spawn add(&sum, i);
  cilk_sync;
  return sum;
}

long chain(long depth) {
  if (depth == 0) return 0;
  const long below = cilk_spawn chain(depth - 1);
  fib(1);
  cilk_sync;
  return below + 1;
}

long thrower(long n) {
  if (n == 0) throw 7;
  const long x = cilk_spawn thrower(n - 1);
  const long y = fib(n);
  cilk_sync;
  return x + y;
}

long thrown(long n) {
  try {
    return thrower(n);
  } catch (int value) {
    return value;
  }
}

void use_up_mappings(long spare) {
  const std::size_t page = 4096;
  std::vector<char *> pages;
  pages.reserve(70000);
  // Each second one with another protection, so that neighbours are not merged.
  for (int turn = 0; pages.size() < 200000; turn ^= 1) {
    void *found =
        mmap(nullptr, page, turn ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) break;
    pages.push_back(static_cast<char *>(found));
  }
  for (; spare > 0 && !pages.empty(); --spare) {
    munmap(pages.back(), page);
    pages.pop_back();
  }
}

void refuse_membarrier(unsigned answer) {
  sock_filter filter[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                          {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_membarrier},
                          {BPF_RET | BPF_K, 0, 0, answer},
                          {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  sock_fprog program = {4, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
    _exit(77);
}

}  // namespace

int main(int argc, char **argv) {
  const long rounds = size_argument(argc, argv, 1);
  if (argc > 3 && std::strcmp(argv[2], "mappings") == 0) use_up_mappings(std::atol(argv[3]));
  if (argc > 2 && std::strcmp(argv[2], "deadly") == 0) {
    refuse_membarrier(SECCOMP_RET_KILL_PROCESS);
    execl(argv[0], argv[0], argv[1], static_cast<char *>(nullptr));
    _exit(77);
  }
  for (long round = 0; round < rounds; ++round) {
    CHECK_EQ(fib(10), 55);
    CHECK_EQ(loop(40), 780);
    CHECK_EQ(chain(30), 30);
    CHECK_EQ(thrown(8), 7);
    if (round == 0 && argc > 2 && std::strcmp(argv[2], "membarrier") == 0)
      refuse_membarrier(SECCOMP_RET_ERRNO | 1);
  }
  printf("right\n");
  return 0;
}
