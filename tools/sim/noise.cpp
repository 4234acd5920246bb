// See noise.h.
#include "noise.h"

#include <algorithm>

#include "worker/random.h"

namespace nopal::sim {

Noise::Noise(const std::vector<std::uint64_t> &losses, Time slice, std::uint32_t workers,
             std::uint64_t seed)
    : slice_(slice), begins_{0} {
  for (const std::uint64_t loss : losses) begins_.push_back(begins_.back() + slice + loss);
  Random random(seed);
  for (std::uint32_t i = 0; i < workers; ++i)
    places_.push_back(begins_[random.below(static_cast<std::uint32_t>(losses.size()))]);
}

Time Noise::lost(std::uint32_t worker, Time now, Time work) const noexcept {
  const Time at = (places_[worker] + now) % begins_.back();
  auto end = std::upper_bound(begins_.begin(), begins_.end(), at);
  Time left = work, from = at, takes = 0;
  while (true) {
    // A piece's loss is spread evenly over it.
    const Time length = *end - *(end - 1), rest = *end - from;
    const Time done = rest * slice_ / length;
    if (left <= done) return takes + left * length / slice_ - work;
    left -= done;
    takes += rest;
    if (++end == begins_.end()) end = begins_.begin() + 1;
    from = *(end - 1);
  }
}

}  // namespace nopal::sim
