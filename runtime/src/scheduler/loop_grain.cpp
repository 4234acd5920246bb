// The default grain of a cilk_for (nopal_abi.h). Called once a loop, in front of its first division. Tests: tests/unit/loop_grain_test.cpp.
#include "../../abi/nopal_abi.h"
#include "runtime.h"

#include <algorithm>
#include <cstdint>

namespace {

// Eight leaves a worker balance a load that is uneven by a factor of a few; more than 2,048 iterations a leaf gain nothing over the
// nanosecond of a spawn.
constexpr std::uint64_t kLeavesPerWorker = 8;
constexpr std::uint64_t kMaxGrain = 2048;

} // namespace

extern "C" uint64_t nopal_loop_grain(uint64_t count) {
  const std::uint64_t leaves = kLeavesPerWorker * nopal::worker_count();
  if (count >= kMaxGrain * leaves) return kMaxGrain;
  // Both fit into 32 bits, where a division costs a third.
  return std::max(std::uint32_t{1}, static_cast<std::uint32_t>(count) / static_cast<std::uint32_t>(leaves));
}
