// See sites.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sites.h"

#include "../src/platform/demangled.h"

namespace nopal::span {

SiteIndex SiteTable::add(nopal_hook_site &record) {
  const std::lock_guard lock(mutex_);
  SiteIndex index = 1;
  for (; index < sites_.size(); ++index) {
    const Site &known = sites_[index];
    if (known.line == record.line && known.column == record.column && known.file == record.file)
      break;
  }
  if (index == sites_.size())
    sites_.push_back({demangled(record.function), record.file, record.line, record.column,
                      static_cast<nopal_hook_kind>(record.kind)});
  // relaxed: see index_of.
  __atomic_store_n(&record.tool, reinterpret_cast<void *>(std::uintptr_t{index} + 1),
                   __ATOMIC_RELAXED);
  return index;
}

std::vector<Site> SiteTable::all() const {
  const std::lock_guard lock(mutex_);
  return sites_;
}

}  // namespace nopal::span
