// What work finds in the thread that runs it. It has the processors of the thread that spawns,
// since threads and processes that it creates inherit them. The runtime's own threads block all
// signals, so the program's signals go to the program's threads.
//
// matrix: flags -pthread

#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <initializer_list>

#include "../support/check.h"

namespace {

cpu_set_t processors;  // of the first thread
pthread_t first_thread;

NOINLINE void check_here() {
  cpu_set_t here;
  CHECK_EQ(sched_getaffinity(0, sizeof here, &here), 0);
  CHECK_EQ(CPU_COUNT(&here), CPU_COUNT(&processors));
  CHECK(CPU_EQUAL(&here, &processors));
  const bool is_own = !pthread_equal(pthread_self(), first_thread);
  sigset_t blocked;
  CHECK_EQ(pthread_sigmask(SIG_SETMASK, nullptr, &blocked), 0);
  for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD})
    CHECK_EQ(sigismember(&blocked, signal) == 1, is_own);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    CHECK_EQ(sigismember(&blocked, fault), 0);
}

// Children that block, so that other workers find idle processors.
void tree(int depth) {
  check_here();
  if (depth == 0) return linger();
  cilk_spawn tree(depth - 1);
  check_here();
  tree(depth - 1);
  cilk_sync;
  check_here();
}

}  // namespace

int main() {
  first_thread = pthread_self();
  CHECK_EQ(sched_getaffinity(0, sizeof processors, &processors), 0);
  // Each time the runtime is started anew, and a worker sleeps for a while before it is the first
  // to find work.
  for (long round = 0; round < 8; ++round) {
    tree(1);
    const timespec pause = {0, 500'000 * round};
    nanosleep(&pause, nullptr);
    tree(6);
    __cilkrts_end_cilk();
  }
  printf("processors and signals: ok\n");
  return 0;
}
