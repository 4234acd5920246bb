// The table of policies. Who adds a row adds a value of CILK_STEAL and of `nopal-sim --policy`:
// docs/adding-a-policy.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "half.h"
#include "hashing.h"
#include "localized.h"
#include "mugging.h"
#include "nearest.h"
#include "random.h"

// ROW(word, class, what it does)
#define NOPAL_POLICIES(ROW)                                                           \
  ROW(random, RandomPolicy, "a uniform victim, its oldest continuation")              \
  ROW(nearest, NearestPolicy, "the nearest group first, one attempt in 8 uniform")    \
  ROW(localized, LocalizedPolicy, "takes back its own work first")                    \
  ROW(hashing, HashingPolicy, "as localized; else an owner, then one of his helpers") \
  ROW(mugging, MuggingPolicy, "as localized; takes back all but what is being run")   \
  ROW(half, HalfPolicy, "a uniform victim, the older half of its deque")

namespace nopal::policy {

/// A row's number. The first row is the default.
enum class Kind : std::uint8_t {
#define NOPAL_WORD(word, type, text) word,
  NOPAL_POLICIES(NOPAL_WORD)
#undef NOPAL_WORD
};

}  // namespace nopal::policy
