// Spawn sites: what thieves count, and where statistics find it.
//
// Checked by tests/unit/sites_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_FRAME_SITES_H
#define NOPAL_FRAME_SITES_H

#include "../../abi/nopal_abi.h"
#include "../stats/source.h"

namespace nopal {

/// The site of the spawn after which `frame` continues. Caller: the holder of the continuation.
inline const nopal_site &site_of(const nopal_frame *frame) noexcept {
  return *reinterpret_cast<const nopal_site *>(frame->site & ~NOPAL_SITE_SLOW);
}

/// Any thread; a counter, relaxed.
inline void count_steal_at(const nopal_site &site) noexcept {
  __atomic_fetch_add(site.steals, 1, __ATOMIC_RELAXED);
}

/// Visits the sites of each registered module. Any thread. Blocks registrations meanwhile.
void visit_sites(stats::SiteVisitor &visitor);
/// The mutex of the list of modules, for fork().
void lock_site_ranges() noexcept;
void unlock_site_ranges() noexcept;

}  // namespace nopal

#endif
