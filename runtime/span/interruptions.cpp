// See interruptions.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interruptions.h"

#include <sys/resource.h>
#include <time.h>
#include <algorithm>

namespace nopal::span {

namespace {

Ticks processor_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return Ticks{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

long waits() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

}  // namespace

Interruptions::Interruptions()
    : wall_ns_(Clock::steady_ns()), processor_ns_(processor_ns()), waits_(waits()) {}

double Interruptions::lost_ns() {
  const Interruptions before = *this;
  wall_ns_ = Clock::steady_ns();
  processor_ns_ = processor_ns();
  waits_ = waits();
  if (waits_ != before.waits_) return 0;
  const auto lost = static_cast<double>(
      std::max<Ticks>(0, wall_ns_ - before.wall_ns_ - (processor_ns_ - before.processor_ns_)));
  total_ns_ += lost;
  return lost;
}

}  // namespace nopal::span
