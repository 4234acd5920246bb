// What a steal costs on this machine: the burden of the burdened span.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_BURDEN_H
#define NOPAL_SPAN_BURDEN_H

namespace nopal::span {

/// Cilkview's constant, where nothing can be measured.
inline constexpr double kAssumedBurdenNs = 6250;

/// The median of steals between two workers of a forked process: from the push of a continuation
/// to its first instruction, and from the end of the later of both to the end of the sync. Negative
/// if the process may use one processor only, or no steal came about. Takes some milliseconds.
double measure_burden_ns();

/// In that process (burden_kernel.cpp, which the plugin compiles): the same, on the runtime as it
/// is configured.
double measured_steal_ns();

}  // namespace nopal::span

#endif
