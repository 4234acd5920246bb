// Another processor for a thread that is woken or created by one that goes on working.
//
// The system's choice is not reliable: under KVM an idle processor counts as taken away from the guest once it has halted, and the new or woken
// thread is put behind its waker, and waits for a tick (README.md, "Where a woken worker runs"). Used by Sleep and Roster. Checked by
// tests/unit/sleep_test.cpp.
#ifndef NOPAL_SLEEP_ELSEWHERE_H
#define NOPAL_SLEEP_ELSEWHERE_H

#include <pthread.h>
#include <sched.h>

namespace nopal {

/// While it lives, `thread` may not run on the processor that the caller had when it was made, if it may run on another; then it may run where it
/// might before. `thread` must not end meanwhile. If the system refuses, nothing changes; if somebody else changes the thread's affinity
/// meanwhile, that change is lost. Cost: three short system calls.
class Elsewhere {
public:
  explicit Elsewhere(pthread_t thread) noexcept : thread_(thread) {
    const int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || pthread_getaffinity_np(thread, sizeof allowed_, &allowed_) != 0) return;
    if (!CPU_ISSET(here, &allowed_) || CPU_COUNT(&allowed_) < 2) return;
    cpu_set_t others = allowed_;
    CPU_CLR(here, &others);
    moves_ = pthread_setaffinity_np(thread, sizeof others, &others) == 0;
  }
  ~Elsewhere() {
    if (moves_) pthread_setaffinity_np(thread_, sizeof allowed_, &allowed_);
  }
  Elsewhere(const Elsewhere &) = delete;
  Elsewhere &operator=(const Elsewhere &) = delete;

private:
  pthread_t thread_;
  cpu_set_t allowed_;
  bool moves_ = false;
};

} // namespace nopal

#endif
