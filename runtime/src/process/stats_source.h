// What the statistics ask (stats/source.h), answered. Checked by tests/stress.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PROCESS_STATS_SOURCE_H
#define NOPAL_PROCESS_STATS_SOURCE_H

#include "../stats/source.h"

namespace nopal {

/// The one source of the process. Any thread; lives for ever.
const stats::Source &stats_source() noexcept;

}  // namespace nopal

#endif
