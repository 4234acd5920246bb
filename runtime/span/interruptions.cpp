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

/// The least of some, in nanoseconds.
double cost_of_question() {
  Ticks least = INT64_MAX;
  for (int i = 0; i < 5; ++i) {
    const Ticks start = Clock::steady_ns();
    processor_ns();
    least = std::min(least, Clock::steady_ns() - start);
  }
  return static_cast<double>(least);
}

}  // namespace

Interruptions::Interruptions()
    : worth_asking_ns_(std::max(kShortestNs, kStrandsAQuestion * cost_of_question())),
      wall_ns_(Clock::steady_ns()),
      processor_ns_(processor_ns()),
      waits_(waits()) {}

double Interruptions::lost_ns(double strand_ns) {
  if (strand_ns < worth_asking_ns_) return 0;
  const Interruptions before = *this;
  wall_ns_ = Clock::steady_ns();
  processor_ns_ = processor_ns();
  const auto lost =
      static_cast<double>(wall_ns_ - before.wall_ns_ - (processor_ns_ - before.processor_ns_));
  if (lost < kShortestNs) return 0;
  waits_ = waits();
  return waits_ == before.waits_ ? lost : 0;
}

}  // namespace nopal::span
