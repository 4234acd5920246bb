// Time in which the system ran something else on a thread's processor. It is no work of the
// program, and one interruption is longer than many strands.
//
// A meter asks after each strand that may hold one. Time that the program waits of
// its own accord (a read, a lock, a sleep) counts: the strand takes as long on any machine.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_INTERRUPTIONS_H
#define NOPAL_SPAN_INTERRUPTIONS_H

#include "clock.h"

namespace nopal::span {

class Interruptions {
 public:
  /// A shorter one is not looked for.
  static constexpr double kShortestNs = 20'000;

  /// Of the calling thread, from now on.
  Interruptions();

  /// What the thread has lost since the last question; 0 if it waited in that time. After a strand
  /// of `strand_ns`: the system is not asked if that is too short for what a question takes.
  double lost_ns(double strand_ns);

 private:
  // A question is a call of the system, a microsecond or more, which is not measured and makes the
  // run longer: at most 1 %.
  static constexpr double kStrandsAQuestion = 100;

  double worth_asking_ns_;
  Ticks wall_ns_, processor_ns_;
  long waits_;
};

}  // namespace nopal::span

#endif
