// The table of sites: each place of the source once, however many records name it.
//
// Asked by hooks.cpp at the first use of a record, and by the reports.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_SITES_H
#define NOPAL_SPAN_SITES_H

#include "meter.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace nopal::span {

struct Site {
  std::string function;  // as a person would write it; empty: the program outside of all spawns
  std::string file;
  std::uint32_t line = 0, column = 0;
  nopal_hook_kind kind = NOPAL_HOOK_FUNCTION;
};

class SiteTable {
 public:
  SiteTable() : sites_(1) {}

  static constexpr SiteIndex kNotAdded = UINT32_MAX;

  /// Any thread. A record's own word keeps its number, plus 1.
  SiteIndex add(nopal_hook_site &record);
  static SiteIndex index_of(const nopal_hook_site &record) {
    // relaxed: the number is all there is, and each thread that does not see it finds the same.
    const void *number = __atomic_load_n(&record.tool, __ATOMIC_RELAXED);
    return static_cast<SiteIndex>(reinterpret_cast<std::uintptr_t>(number)) - 1;
  }
  /// A copy of all.
  std::vector<Site> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Site> sites_;
};

}  // namespace nopal::span

#endif
