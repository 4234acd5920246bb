// See sites.h. Modules register in constructors, perhaps before this library's own, perhaps while
// other threads run (dlopen).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sites.h"

#include "../platform/fatal.h"

#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <vector>

namespace nopal {
namespace {

struct Range {
  const nopal_site_entry *begin;
  const nopal_site_entry *end;
};

struct Ranges {
  std::mutex mutex;
  std::vector<Range> list;
};

// Initialized before any constructor of a module, and never destroyed: statistics are printed after
// static destruction.
[[clang::no_destroy]] constinit Ranges all_ranges;
Ranges &ranges() { return all_ranges; }

}  // namespace

void visit_sites(stats::SiteVisitor &visitor) {
  Ranges &all = ranges();
  const std::lock_guard lock(all.mutex);
  for (const Range &range : all.list)
    for (const nopal_site_entry *entry = range.begin; entry != range.end; ++entry)
      visitor.site(
          *reinterpret_cast<const nopal_site *>(reinterpret_cast<const char *>(entry) + *entry));
}

void lock_site_ranges() noexcept { ranges().mutex.lock(); }
void unlock_site_ranges() noexcept { ranges().mutex.unlock(); }

}  // namespace nopal

void nopal_register_sites(const nopal_site_entry *begin, const nopal_site_entry *end) {
  if (begin == end) return;
  nopal::Ranges &all = nopal::ranges();
  const std::lock_guard lock(all.mutex);
  for (const nopal::Range &range : all.list)
    if (range.begin == begin && range.end == end)
      return;  // each translation unit of a module has the constructor
  try {
    all.list.push_back({begin, end});
  } catch (const std::bad_alloc &) {
    nopal::fatal(
        "cannot allocate memory for the spawn sites of a module: %s; raise the limit on memory",
        std::strerror(ENOMEM));
  }
}
