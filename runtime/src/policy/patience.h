// How long a worker searches before it goes idle, learned from how long it was idle before.
//
// Compiled twice, like the policies: by the runtime (idle/find_work.cpp) and by tools/sim. Reasons
// and figures: idle/README.md, "How long a search lasts". Checked by
// tests/unit/policy_patience_test.cpp, tests/stress/idle_test.cpp and tests/sim/idle_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace nopal::policy {

/// A worker is idle from the end of its path until it has found work; times are in nanoseconds. A
/// long search pays if it is not over by then. After two in a row that did not pay, searches are
/// short, until a long one would have paid. One object a worker, which alone calls it.
class Patience {
 public:
  struct Searches {
    std::uint64_t long_ns, short_ns;
  };

  /// Of a search that begins now. `idle_ns`: how long the worker has been idle; longer than a long
  /// search only if it slept and was woken.
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
