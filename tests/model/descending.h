// Atoms whose memory for arrays descends: each array of a deque lies below the one before it. Used
// by arm_orders_model.cpp.
#pragma once

#include "explorer.h"

namespace nopal::model {

// A bottom in an older array is then above all places of the newer one, and not below them.
struct DescendingArrays : ModelAtoms {
  static void *allocate(size_t bytes) {
    static char *block = nullptr;
    if (bytes > kMostBytes) std::abort();
    // Memory of a run is zero before it is used, and an array begins with its capacity.
    if (block == nullptr || !is_used(block + 2 * kMostBytes))
      block = static_cast<char *>(model::allocate(3 * kMostBytes));
    for (size_t i = 3; i-- > 0;)
      if (!is_used(block + i * kMostBytes)) return block + i * kMostBytes;
    std::abort();
  }

 private:
  static constexpr size_t kMostBytes = 512;
  static bool is_used(const char *array) { return *reinterpret_cast<const int64_t *>(array) != 0; }
};

}  // namespace nopal::model
