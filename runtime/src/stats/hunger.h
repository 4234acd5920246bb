// How far strands came while a worker hungered: it looked for work, and there was none. That is a
// lower bound of the span (estimate.h).
//
// While a worker finds nothing, each strand that is ready has a worker, so the one that the longest
// path waits for goes on, too. How fast is not known, since nobody knows which it is: at least as
// fast as the slowest. Strands that share processors do not get equal shares. The kernel gives each
// some milliseconds in turn, and one processor may have more of them than another. So a *window*
// begins at a look that finds hunger, and lasts until a look finds other strands, or no hunger. The
// slowest of the strands with which it began says how far all came in it. If strands are shorter
// than the time between two looks, each window lasts from one look to the next.
//
// The sampler looks every 2 to 8 ms and takes what it finds for the time until it looks again. So
// the sum has an error, as each sum of samples: when hunger began and ended. It is estimated from
// the differences of neighbours, as if all strands ran at their mean speed, which is no slower: a
// long period of hunger has few differences, and one that comes and goes has many. Written by the
// sampler's thread, read by any. Checked by tests/unit/estimate_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_HUNGER_H
#define NOPAL_STATS_HUNGER_H

#include "counter.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nopal::stats {

/// What has been found. Any thread.
struct HungerSum {
  Counter ns;        // of the span, at least, but for the error
  Counter error_ns;  // the standard error
};

class Hunger {
 public:
  /// What the sampler has found of a worker.
  struct Runs {
    std::uint64_t work_ns = 0;     // processor time of its strands so far
    std::uint64_t working_ns = 0;  // how long it has worked so far, by the clock on the wall
    std::uint64_t strand = 0;      // another number for each of its strands; 0: it runs none
  };
  struct Look {
    std::uint64_t now_ns = 0;
    bool is_hungry = false;     // fewer worked than there may be, and each ready strand had one
    std::vector<Runs> workers;  // by their indices; later looks may have more
  };

  explicit Hunger(HungerSum &sum) noexcept : sum_(sum) {}

  /// Takes what `found` holds and leaves an older look there, whose memory may be used again.
  void look(Look &found) noexcept {
    if (last_.now_ns != 0) add_error(found);
    if (window_.is_hungry) {
      const std::uint64_t ns = slowest(found);
      sum_.ns.set(closed_ns_ + ns);
      if (!found.is_hungry || !are_same(found)) {
        closed_ns_ += ns;
        window_.is_hungry = false;
      }
    }
    last_ = {.now_ns = found.now_ns, .is_hungry = found.is_hungry, .all = all_of(found)};
    if (found.is_hungry && !window_.is_hungry) std::swap(window_, found);
  }

 private:
  struct Before {
    std::uint64_t now_ns = 0;
    bool is_hungry = false;
    Runs all{};  // summed
  };

  static double speed(const Runs &before, const Runs &now) noexcept {
    const auto worked = static_cast<double>(now.work_ns) - static_cast<double>(before.work_ns);
    const auto passed =
        static_cast<double>(now.working_ns) - static_cast<double>(before.working_ns);
    return passed > 0 ? std::clamp(worked / passed, 0.0, 1.0) : 1;
  }
  static Runs all_of(const Look &found) noexcept {
    Runs all;
    for (const Runs &one : found.workers) {
      all.work_ns += one.work_ns;
      all.working_ns += one.working_ns;
    }
    return all;
  }
  /// How far the slowest strand of the window has come.
  std::uint64_t slowest(const Look &found) const noexcept {
    double least = 1;
    bool has_strand = false;
    for (std::size_t i = 0; i < window_.workers.size(); ++i) {
      if (window_.workers[i].strand == 0) continue;
      has_strand = true;
      least = std::min(least, speed(window_.workers[i], found.workers[i]));
    }
    if (!has_strand) return 0;  // the program waits for something else
    return static_cast<std::uint64_t>(least * static_cast<double>(found.now_ns - window_.now_ns));
  }
  bool are_same(const Look &found) const noexcept {
    for (std::size_t i = 0; i < found.workers.size(); ++i) {
      const std::uint64_t before = i < window_.workers.size() ? window_.workers[i].strand : 0;
      if (found.workers[i].strand != before) return false;
    }
    return true;
  }
  void add_error(const Look &found) noexcept {
    const double ns = last_.is_hungry ? speed(last_.all, all_of(found)) *
                                            static_cast<double>(found.now_ns - last_.now_ns)
                                      : 0;
    variance_ += (ns - last_ns_) * (ns - last_ns_) / 2;
    last_ns_ = ns;
    sum_.error_ns.set(static_cast<std::uint64_t>(std::sqrt(variance_)));
  }

  HungerSum &sum_;
  std::uint64_t closed_ns_ = 0;  // of windows that are over
  Look window_;                  // its first look; is_hungry: it is open
  Before last_;
  double last_ns_ = 0;   // what the last interval had
  double variance_ = 0;  // of the sum
};

/// The process's.
inline constinit HungerSum the_hunger;
inline HungerSum &hunger() noexcept { return the_hunger; }

}  // namespace nopal::stats

#endif
