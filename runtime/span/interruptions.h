// Time in which the system ran something else on a thread's processor. It is no work of the
// program, and one interruption is longer than many strands.
//
// A meter asks after each strand that is long enough to hold one. Time that the program waits of
// its own accord (a read, a lock, a sleep) counts: the strand takes as long on any machine.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_INTERRUPTIONS_H
#define NOPAL_SPAN_INTERRUPTIONS_H

#include "clock.h"

namespace nopal::span {

class Interruptions {
 public:
  /// A shorter strand is not asked for: to ask takes most of a microsecond, which is not measured
  /// and makes the run longer.
  static constexpr double kShortestNs = 20'000;

  /// Of the calling thread, from now on.
  Interruptions();

  /// What the thread has lost since the last question; 0 if it waited in that time.
  double lost_ns();
  double total_ns() const { return total_ns_; }

 private:
  Ticks wall_ns_, processor_ns_;
  long waits_;
  double total_ns_ = 0;
};

}  // namespace nopal::span

#endif
