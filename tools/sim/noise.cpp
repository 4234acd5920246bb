// See noise.h.
#include "noise.h"

#include <algorithm>

#include "worker/random.h"

namespace nopal::sim {

Noise::Noise(const std::vector<std::uint64_t> &losses, Time slice, std::uint32_t processors,
             std::uint32_t workers, std::uint64_t seed)
    : slice_(slice), recordings_(processors), period_(~Time{0}) {
  const std::size_t pieces = losses.size() / processors;
  auto loss = losses.begin();
  for (std::vector<Time> &begins : recordings_) {
    begins.push_back(0);
    for (std::size_t i = 0; i < pieces; ++i) begins.push_back(begins.back() + slice + *loss++);
    period_ = std::min(period_, begins.back());
  }
  Random random(seed);
  const std::uint32_t first = random.below(processors);
  Time moment = 0;
  for (std::uint32_t i = 0; i < workers; ++i) {
    if (i % processors == 0)
      moment = recordings_[0][random.below(static_cast<std::uint32_t>(pieces))];
    places_.push_back({.recording = (first + i) % processors, .at_start = moment});
  }
}

Time Noise::lost(std::uint32_t worker, Time now, Time work) const noexcept {
  const Place &place = places_[worker];
  const std::vector<Time> &begins = recordings_[place.recording];
  const Time at = (place.at_start + now) % period_;
  auto end = std::upper_bound(begins.begin(), begins.end(), at);
  Time left = work, from = at, takes = 0;
  while (true) {
    // A piece's loss is spread evenly over it.
    const Time length = *end - *(end - 1), rest = *end - from;
    const Time done = rest * slice_ / length;
    if (left <= done) return takes + left * length / slice_ - work;
    left -= done;
    takes += rest;
    if (++end == begins.end()) end = begins.begin() + 1;
    from = *(end - 1);
  }
}

}  // namespace nopal::sim
