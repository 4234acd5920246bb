// What processors do beside the program: interrupts, other processes, a hypervisor; and how fast
// each is. Recordings of some processors at one time, made by `nopal-sim calibrate`, which a run
// plays back. With fewer workers than processors each is of a thread, which the system may move.
//
// Each worker has a processor, and begins at a moment that the seed chooses: the same one for the
// workers on different processors, since the timer interrupts all at once. It goes through the
// recording with time, whether it works or not.
#pragma once

#include <cstdint>
#include <vector>

#include "timing_wheel.h"

namespace nopal::sim {

class Noise {
 public:
  /// `losses`: how much longer than `slice` each piece of work of that length took: as many on each
  /// of the `processors`, at least one, one processor after the other. Workers beyond them play the
  /// recordings from another moment.
  Noise(const std::vector<std::uint64_t> &losses, Time slice, std::uint32_t processors,
        std::uint32_t workers, std::uint64_t seed);

  /// How much longer than `work` a strand takes that begins now.
  Time lost(std::uint32_t worker, Time now, Time work) const noexcept;

 private:
  struct Place {
    std::size_t recording;
    Time at_start;
  };

  Time slice_;
  // A processor's: where each piece begins, and where the last one ends.
  std::vector<std::vector<Time>> recordings_;
  Time period_;                // all of them are over then, and begin again
  std::vector<Place> places_;  // a worker's
};

}  // namespace nopal::sim
