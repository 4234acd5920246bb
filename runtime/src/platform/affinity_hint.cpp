// See affinity_hint.h; what follows from changes by others: idle/README.md, "Where a woken worker
// runs".
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "affinity_hint.h"

#include <unistd.h>

#include <cstring>

namespace nopal {
namespace {

bool get(pthread_t thread, cpu_set_t &set) noexcept {
  return pthread_getaffinity_np(thread, sizeof set, &set) == 0;
}
bool set(pthread_t thread, const cpu_set_t &set) noexcept {
  return pthread_setaffinity_np(thread, sizeof set, &set) == 0;
}

cpu_set_t without(cpu_set_t set, int processor) noexcept {
  CPU_CLR(processor, &set);
  return set;
}

}  // namespace

void AffinityHint::exclude(pthread_t thread, int processor) noexcept {
  if (processor == excluded_ || processor < 0 || processor >= CPU_SETSIZE) return;
  cpu_set_t now;
  if (!get(thread, now)) return;
  const cpu_set_t before = excluded_ >= 0 && is_as_set(now, processor) ? allowed_ : now;
  if (!CPU_ISSET(processor, &before) || CPU_COUNT(&before) < 2) return restore(thread, processor);
  if (!set(thread, without(before, processor))) return;
  if (!CPU_EQUAL(&before, &allowed_)) is_free_ = false;  // not known
  allowed_ = before;
  excluded_ = processor;
}

void AffinityHint::restore(pthread_t thread, int seen) noexcept {
  if (excluded_ < 0) return;
  if (cpu_set_t now; get(thread, now)) settle(thread, is_as_set(now, seen) ? allowed_ : now);
  excluded_ = -1;
}

/// Not if others have set the very same affinity: then the whole process probably has it. Its first
/// thread tells, since we never change that one's.
bool AffinityHint::is_as_set(const cpu_set_t &now, int seen) const noexcept {
  const cpu_set_t left = without(allowed_, excluded_);
  if (!CPU_EQUAL(&now, &left)) return false;
  if (seen == excluded_) return true;  // so the process may run there
  cpu_set_t first_thread;
  return sched_getaffinity(getpid(), sizeof first_thread, &first_thread) != 0 ||
         !CPU_EQUAL(&first_thread, &left);
}

/// Confines the thread to `allowed`. If its cpuset confines it to the same set, not by naming
/// processors: the system would remember them, and the thread would not get the processors that the
/// cpuset may get later.
void AffinityHint::settle(pthread_t thread, const cpu_set_t &allowed) noexcept {
  cpu_set_t all, granted;
  std::memset(&all, 0xff, sizeof all);
  if (!is_free_ || !CPU_EQUAL(&allowed, &allowed_)) {
    allowed_ = allowed;
    is_free_ = set(thread, all) && get(thread, granted) && CPU_EQUAL(&granted, &allowed);
    if (!is_free_) set(thread, allowed);
    return;
  }
  set(thread, all);
}

}  // namespace nopal
