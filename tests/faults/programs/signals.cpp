// Signals that arrive while workers work, steal, sleep and switch stacks: signals STORM
//
//   timers   SIGALRM and SIGPROF from interval timers of 200 us, to whatever thread takes them;
//            system calls are interrupted
//   threads  a thread sends SIGUSR1 to every thread of the process, again and again; children have
//            unblocked it on their workers
//   stopped  one worker at a time stays in a handler for a second, in the middle of its work; the
//            others continue
//
// Prints "right".
#include <cilk/cilk.h>
#include <dirent.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "../../programs/support/check.h"

namespace {

std::atomic<long> delivered{0};
std::atomic<long> delivered_to_helpers{0};

void count_signal(int) {
  const int error = errno;
  delivered.fetch_add(1, std::memory_order_relaxed);
  if (getpid() != gettid()) delivered_to_helpers.fetch_add(1, std::memory_order_relaxed);
  errno = error;
}

void sleep_in_handler(int) {
  const int error = errno;
  timespec rest = {1, 0};
  while (nanosleep(&rest, &rest) != 0) {
  }
  delivered.fetch_add(1, std::memory_order_relaxed);
  errno = error;
}

void unblock(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

NOINLINE void leaf(long *sum, int signal) {
  unblock(signal);
  linger();
  __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED);
}

long tree(long n, int signal) {
  if (n == 0) {
    long sum = 0;
    leaf(&sum, signal);
    return sum;
  }
  const long left = cilk_spawn tree(n - 1, signal);
  const long right = tree(n - 1, signal);
  cilk_sync;
  return left + right;
}

void install(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;  // no SA_RESTART
  CHECK(sigaction(signal, &action, nullptr) == 0);
}

void timers() {
  install(SIGALRM, count_signal);
  install(SIGPROF, count_signal);
  const itimerval every = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &every, nullptr);
  setitimer(ITIMER_PROF, &every, nullptr);
  for (int round = 0; round < 6; ++round) CHECK_EQ(tree(9, round % 2 ? SIGALRM : SIGPROF), 512);
  const itimerval none = {};
  setitimer(ITIMER_REAL, &none, nullptr);
  setitimer(ITIMER_PROF, &none, nullptr);
  CHECK(delivered.load() > 0);
}

void send_to_all(int signal) {
  DIR *tasks = opendir("/proc/self/task");
  while (const dirent *entry = readdir(tasks)) {
    const long thread = std::strtol(entry->d_name, nullptr, 10);
    if (thread > 0 && thread != gettid()) syscall(SYS_tgkill, getpid(), thread, signal);
  }
  closedir(tasks);
}

void threads() {
  install(SIGUSR1, count_signal);
  tree(6, SIGUSR1);
  std::atomic<bool> is_done{false};
  std::thread sender([&is_done] {
    while (!is_done.load()) {
      send_to_all(SIGUSR1);
      linger();
    }
  });
  for (int round = 0; round < 6; ++round) CHECK_EQ(tree(9, SIGUSR1), 512);
  is_done.store(true);
  sender.join();
  CHECK(delivered_to_helpers.load() > 0);
}

// Which worker's thread is hit is left to chance: the sender takes them in turn.
void stopped() {
  install(SIGUSR2, sleep_in_handler);
  tree(6, SIGUSR2);
  std::atomic<bool> is_done{false};
  std::thread sender([&is_done] {
    for (long turn = 0; !is_done.load() && turn < 3; ++turn) {
      DIR *tasks = opendir("/proc/self/task");
      long skip = turn + 1, chosen = 0;
      while (const dirent *entry = readdir(tasks)) {
        const long thread = std::strtol(entry->d_name, nullptr, 10);
        if (thread > 0 && thread != gettid() && skip-- == 0) chosen = thread;
      }
      closedir(tasks);
      if (chosen != 0) syscall(SYS_tgkill, getpid(), chosen, SIGUSR2);
      const timespec pause = {0, 300'000'000};
      nanosleep(&pause, nullptr);
    }
  });
  while (delivered.load() == 0) CHECK_EQ(tree(7, SIGUSR2), 128);
  is_done.store(true);
  sender.join();
}

}  // namespace

int main(int argc, char **argv) {
  const char *storm = argc > 1 ? argv[1] : "";
  if (std::strcmp(storm, "timers") == 0) timers();
  if (std::strcmp(storm, "threads") == 0) threads();
  if (std::strcmp(storm, "stopped") == 0) stopped();
  printf("right\n");
  return 0;
}
