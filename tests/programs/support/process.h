// Tests that run in a process of their own, because they end it.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

// Runs `test` in a new process, which then calls `leave(0)`; its wait status. A hang ends by
// SIGALRM, or by the matrix's own limit.
inline int wait_status_of(void (*test)(), void (*leave)(int)) {
  fflush(stdout);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(120);
    test();
    leave(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return status;
}
