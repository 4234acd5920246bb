// See sites.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sites.h"

#include <cxxabi.h>
#include <cstdlib>

namespace nopal::span {

namespace {

std::string demangled(const char *name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

}  // namespace

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
