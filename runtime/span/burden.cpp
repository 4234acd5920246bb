// See burden.h. In a process of its own, so that the program has no worker threads, and the runtime
// there is configured for this.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "burden.h"

#include <cilk/cilk_api.h>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <initializer_list>

namespace nopal::span {

namespace {

unsigned usable_processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 1;
}

[[noreturn]] void measure_in_child(int output) {
  for (const char *name : {"CILK_STATS", "CILK_TRACE", "CILK_CHAOS", "CILK_STEAL", "CILK_FENCE",
                           "CILK_HELP", "CILK_ADAPT", "CILK_BIND"})
    unsetenv(name);
  setenv("CILK_NWORKERS", "2", 1);
  __cilkrts_set_param("nworkers", "2");  // if the program has asked the runtime something before
  const double ns = measured_steal_ns();
  if (write(output, &ns, sizeof(ns)) != sizeof(ns)) _exit(1);
  _exit(0);
}

}  // namespace

double measure_burden_ns() {
  if (usable_processors() < 2) return -1;
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    measure_in_child(ends[1]);
  }
  close(ends[1]);
  double ns = -1;
  if (child > 0) {
    ssize_t got;
    while ((got = read(ends[0], &ns, sizeof(ns))) < 0 && errno == EINTR) {
    }
    if (got != sizeof(ns)) ns = -1;
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close(ends[0]);
  return ns;
}

}  // namespace nopal::span
