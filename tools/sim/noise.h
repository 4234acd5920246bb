// What processors do beside the program: interrupts, other processes, a hypervisor. A recording
// that `nopal-sim calibrate` makes, which a run plays back.
//
// Each worker begins at a place of its own that the seed chooses, and goes through the recording
// with time, whether it works or not.
#pragma once

#include <cstdint>
#include <vector>

#include "timing_wheel.h"

namespace nopal::sim {

class Noise {
 public:
  /// `losses`: how much longer than `slice` each piece of work of that length took. Not empty.
  Noise(const std::vector<std::uint64_t> &losses, Time slice, std::uint32_t workers,
        std::uint64_t seed);

  /// How much longer than `work` a strand takes that begins now.
  Time lost(std::uint32_t worker, Time now, Time work) const noexcept;

 private:
  Time slice_;
  std::vector<Time> begins_;  // a piece, from the recording's beginning; its end is the last
  std::vector<Time> places_;  // a worker's, at time 0
};

}  // namespace nopal::sim
