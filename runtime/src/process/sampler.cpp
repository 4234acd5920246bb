// See sampler.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampler.h"

#include "../platform/clock.h"
#include "../platform/fatal.h"
#include "../stats/busy.h"
#include "../worker/registry.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <cstring>

namespace nopal {
namespace {

// Some hundred samples a second, for some 20 us each.
constexpr timespec kPeriod{.tv_sec = 0, .tv_nsec = 2'000'000};

void *sample(void *) noexcept {
  for (;;) {
    nanosleep(&kPeriod, nullptr);
    if (stats::busy().working() == 0) continue;
    for (std::uint32_t index = 0; index < registry().count(); ++index) {
      Worker &worker = registry().worker(index);
      worker.wants_sample.store(true, std::memory_order_relaxed);  // a hint
      worker.deque.make_next_push_slow();
    }
  }
}

}  // namespace

void start_sampler() noexcept {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the thread inherits it
  pthread_t thread;
  const int refused = pthread_create(&thread, &attributes, sample, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (refused != 0)
    warn("cannot create a thread that samples spawns: %s; the statistics say nothing of grain",
         std::strerror(refused));
  else
    pthread_setname_np(thread, "nopal sampler");
}

}  // namespace nopal
