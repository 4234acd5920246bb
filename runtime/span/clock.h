// The clock of the strands: the processor's cycle counter, the system's steady clock, or a counter
// that the program moves.
//
// Read by every hook that ends a strand (hooks.cpp). Not atomic, except the counter.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_CLOCK_H
#define NOPAL_SPAN_CLOCK_H

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace nopal::span {

using Ticks = std::int64_t;

enum class ClockKind {
  kCycles,  // rdtsc, where the processor says that it always runs at one speed
  kSteady,  // CLOCK_MONOTONIC
  kCount    // time passes only where the program says so (__cilk_span_count)
};

class Clock {
 public:
  /// kSteady if there is no cycle counter to rely on.
  explicit Clock(ClockKind wanted);

  Ticks now() const {
#if defined(__x86_64__)
    if (__builtin_expect(kind_ == ClockKind::kCycles, true)) return static_cast<Ticks>(__rdtsc());
#endif
    return kind_ == ClockKind::kCount ? count_ : steady_ns();
  }

  /// Moves the counter; nothing with another clock.
  void count(Ticks ticks) { count_ += ticks; }

  /// Measures the rate of the cycle counter: the longer after the constructor, the better. Returns
  /// some milliseconds after it at the earliest.
  void measure_rate();
  double to_ns(double ticks) const { return ticks * ns_per_tick_; }
  Ticks to_ticks(double ns) const { return static_cast<Ticks>(ns / ns_per_tick_); }

  ClockKind kind() const { return kind_; }
  const char *name() const;

  static Ticks steady_ns();

 private:
  ClockKind kind_ = ClockKind::kSteady;
  double ns_per_tick_ = 1;
  Ticks start_ns_ = 0, start_ticks_ = 0;
  static constinit thread_local Ticks count_;
};

}  // namespace nopal::span

#endif
