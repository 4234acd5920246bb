// For how long workers hungered: some worker looked for work and there was none, and how far those
// that had work came meanwhile. That is a lower bound of the span (estimate.h).
//
// While a worker finds nothing, each strand that is ready has a worker, so the one that the longest
// path waits for goes on, too. How fast: the workers that work share the processors, so each gets
// its part of the processor time that all strands took together.
//
// The sampler looks every 2 to 8 ms and takes what it finds for the time since it looked last. So
// the sum has an error, as each sum of samples. It is estimated from the differences of neighbours:
// a long period of hunger has few, and one that comes and goes has many. Written by the sampler's
// thread, read by any. Checked by tests/unit/estimate_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_HUNGER_H
#define NOPAL_STATS_HUNGER_H

#include "counter.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace nopal::stats {

class Hunger {
 public:
  /// What the sampler has found.
  struct Look {
    std::uint64_t now_ns;
    std::uint64_t work_ns = 0;  // of all strands, so far
    unsigned working = 0;       // workers that worked
    bool is_hungry = false;     // fewer worked than there may be, and each ready strand had one
  };

  void look(const Look &found) noexcept {
    if (last_.now_ns != 0) {
      const std::uint64_t passed_ns = found.now_ns - last_.now_ns;
      const std::uint64_t worked_ns = found.work_ns - std::min(found.work_ns, last_.work_ns);
      const std::uint64_t ns = found.is_hungry && found.working != 0
                                   ? std::min(passed_ns, worked_ns / found.working)
                                   : 0;
      const auto step = static_cast<double>(ns) - static_cast<double>(last_ns_);
      variance_ += step * step / 2;
      sum_ns_.add(ns);
      error_ns_.set(static_cast<std::uint64_t>(std::sqrt(variance_)));
      last_ns_ = ns;
    }
    last_ = found;
  }

  std::uint64_t sum_ns() const noexcept { return sum_ns_.read(); }
  /// The standard error of the sum.
  std::uint64_t error_ns() const noexcept { return error_ns_.read(); }

 private:
  Counter sum_ns_;
  Counter error_ns_;
  // The sampler's.
  Look last_{};
  std::uint64_t last_ns_ = 0;
  double variance_ = 0;  // of the sum
};

/// The process's.
inline constinit Hunger the_hunger;
inline Hunger &hunger() noexcept { return the_hunger; }

}  // namespace nopal::stats

#endif
