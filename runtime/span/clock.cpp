// See clock.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clock.h"

#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace nopal::span {

namespace {

// For so long at least the rate is measured. It is then right to 10^-4; at the end of a longer run
// it is measured again.
constexpr Ticks kFirstRateNs = 2'000'000;

bool has_invariant_cycles() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
#else
  return false;
#endif
}

}  // namespace

constinit thread_local Ticks Clock::count_ = 0;

Ticks Clock::steady_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return Ticks{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

Clock::Clock(ClockKind wanted) : kind_(wanted) {
  if (wanted == ClockKind::kCycles && !has_invariant_cycles()) kind_ = ClockKind::kSteady;
  start_ns_ = steady_ns();
  start_ticks_ = now();
}

void Clock::measure_rate() {
  if (kind_ != ClockKind::kCycles) return;
  while (steady_ns() < start_ns_ + kFirstRateNs) {
  }
  const Ticks ns = steady_ns(), ticks = now();
  ns_per_tick_ = static_cast<double>(ns - start_ns_) / static_cast<double>(ticks - start_ticks_);
}

const char *Clock::name() const {
  constexpr const char *names[] = {"cycle counter", "steady clock", "counter of the program"};
  return names[static_cast<int>(kind_)];
}

}  // namespace nopal::span
