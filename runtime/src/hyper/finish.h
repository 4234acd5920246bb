// What the scheduler does for hyperobjects when a strand begins, ends, or is joined.
//
// Called by scheduler/entry_points.cpp and scheduler/suspend.cpp. Protocol: README.md, "Runs".
// Checked by tests/stress/hyper_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_HYPER_FINISH_H
#define NOPAL_HYPER_FINISH_H

#include "../../abi/nopal_abi.h"
#include "current.h"

#include <cstdint>

namespace nopal::hyper {

/// The strand that `current` runs ends, before it joins: strand `number` of `frame`, at least 1.
/// `cuts`: by an exception, so what follows it in serial order does not count. Calls user code.
/// Cost: a load or two if the program has no hyperobjects.
void finish(CurrentViews &current, nopal_frame *frame, std::int64_t number, bool cuts) noexcept;

/// `frame` is exclusive, all others have joined: takes up `first`, the views of strand 0, with all
/// others reduced into it. Caller: the fast clone's thread; `current` runs no strand. Calls user
/// code.
void resume(CurrentViews &current, nopal_frame *frame, Views first, bool cuts) noexcept;

}  // namespace nopal::hyper

#endif
