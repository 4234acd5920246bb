// How long a worker searches before it goes idle, learned from how long it was idle before.
//
// Compiled twice, like the policies: by the runtime (idle/find_work.cpp) and by tools/sim. Reasons
// and figures: idle/README.md, "How long a search lasts". Checked by
// tests/unit/policy_patience_test.cpp and tests/sim/idle_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace nopal::policy {

/// A worker is idle from the end of its path until it has found work, in nanoseconds. A long search
/// pays if that ends before it; if it has not twice in a row, searches are short until one would
/// have. One object a worker, which alone calls it.
class Patience {
 public:
  struct Searches {
    std::uint64_t long_ns, short_ns;
  };

  /// For a search that begins now. The worker has been idle for so long already: it was woken.
  constexpr std::uint64_t search_ns(const Searches &searches,
                                    std::uint64_t idle_ns) const noexcept {
    return in_vain_ == kEnough || idle_ns > searches.long_ns ? searches.short_ns : searches.long_ns;
  }

  /// It was idle for so long.
  constexpr void found_work(const Searches &searches, std::uint64_t idle_ns) noexcept {
    if (idle_ns <= searches.short_ns) return;  // says nothing: both searches find that
    if (idle_ns <= searches.long_ns)
      in_vain_ = 0;
    else if (in_vain_ < kEnough)
      ++in_vain_;
  }

 private:
  static constexpr std::uint8_t kEnough = 2;  // once may be chance

  std::uint8_t in_vain_ = 0;  // long idle times in a row
};

}  // namespace nopal::policy
